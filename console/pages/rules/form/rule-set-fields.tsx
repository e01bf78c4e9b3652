import { isApiError } from '../../../api/errors.ts';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextArea } from '../../../ui/form/text-area.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { FLAG_RULE_WORDS, RULE_WORDS } from '../rule-set.ts';
import type { Texts } from './texts.ts';

const NUMBERS = ['maxCoverageDays', 'maxVehiclesPerCertificate', 'expiringWithinDays'] as const;
const FLAGS = ['flagNoMatch', 'flagForReview'] as const;
const YES_OR_NO = ['true', 'false'] as const;

interface RuleSetFieldsProps {
  readonly texts: Texts;
  readonly onChange: (texts: Texts) => void;
  /** Of the last attempt to save; each field shows what concerns it. */
  readonly error: unknown;
}

export function RuleSetFields({ texts, onChange, error }: RuleSetFieldsProps) {
  const set = (name: keyof Texts, text: string): void => onChange({ ...texts, [name]: text });
  return (
    <>
      <TextArea
        label={`${RULE_WORDS.coverageTypes}, one a line`}
        className="code"
        dir="ltr"
        required
        value={texts.coverageTypes}
        error={errorOf(error, 'coverageTypes')}
        onChange={(event) => set('coverageTypes', event.target.value)}
      />
      {NUMBERS.map((name) => (
        <TextField
          key={name}
          label={RULE_WORDS[name]}
          inputMode="numeric"
          required
          value={texts[name]}
          error={errorOf(error, name)}
          onChange={(event) => set(name, event.target.value)}
        />
      ))}
      {FLAGS.map((name) => (
        <SelectField
          key={name}
          label={RULE_WORDS[name]}
          options={YES_OR_NO}
          words={FLAG_RULE_WORDS}
          value={texts[name]}
          error={errorOf(error, name)}
          onChange={(event) => set(name, event.target.value)}
        />
      ))}
      <TextArea
        label="Note"
        value={texts.note}
        error={errorOf(error, 'note')}
        onChange={(event) => set('note', event.target.value)}
      />
    </>
  );
}

/** The messages about a field, and about the items of a list. */
function errorOf(error: unknown, name: keyof Texts): string | undefined {
  if (!isApiError(error)) return undefined;
  const messages = error.details
    .filter(({ field }) => field === name || field?.startsWith(`${name}[`) === true)
    .map(({ message }) => message);
  return messages.length === 0 ? undefined : [...new Set(messages)].join(' ');
}
