import { RATE_LIMIT_PER_MINUTE_MAX, SCOPES } from 'virtual:contract';
import type { ChangeEvent } from 'react';
import { type ApiError, isApiError, messagesOf } from '../../api/errors.ts';
import { CheckGroup } from '../../ui/form/check-group.tsx';
import { TextArea } from '../../ui/form/text-area.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { CLIENT_LABELS, type ClientField, scopesOf } from './client-values.ts';

interface ClientFieldsProps {
  readonly values: Readonly<Record<ClientField, string>>;
  readonly change: (name: ClientField, value: string) => void;
  readonly bind: (name: ClientField) => {
    readonly name: string;
    readonly value: string;
    readonly onChange: (event: ChangeEvent<{ value: string }>) => void;
  };
  readonly error: unknown;
}

/** What a new client gets, and what of it can change later. */
export function ClientFields({ values, change, bind, error }: ClientFieldsProps) {
  return (
    <>
      <TextField
        {...bind('name')}
        label={CLIENT_LABELS.name}
        error={messagesOf(error, 'name')[0]}
        maxLength={255}
        autoComplete="off"
        required
      />
      <CheckGroup
        legend={CLIENT_LABELS.scopes}
        options={SCOPES}
        chosen={scopesOf(values.scopes)}
        onChange={(chosen) => change('scopes', chosen.join(' '))}
        error={messagesOf(error, 'scopes')[0]}
      />
      <TextArea
        {...bind('ipAllowlist')}
        label={`${CLIENT_LABELS.ipAllowlist} that may use it, one a line; without any, every address may`}
        error={isApiError(error) ? allowlistMessageOf(error) : undefined}
        spellCheck={false}
        className="identifier"
        rows={3}
      />
      <TextField
        {...bind('rateLimitPerMinute')}
        type="number"
        label={CLIENT_LABELS.rateLimitPerMinute}
        error={messagesOf(error, 'rateLimitPerMinute')[0]}
        min={1}
        max={RATE_LIMIT_PER_MINUTE_MAX}
        required
      />
    </>
  );
}

/** The registry names the entry that it refuses, such as ipAllowlist[1]. */
function allowlistMessageOf({ details }: ApiError): string | undefined {
  return details.find(({ field }) => field?.startsWith('ipAllowlist'))?.message;
}
