import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Unreachable } from '../../../api/errors.ts';
import { useChange } from '../../../api/queries.ts';
import { useMay } from '../../../session/session-context.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';

interface SendAgainProps {
  readonly transmissionReference: string;
  readonly onSent?: () => void;
}

/** Sends one parked transmission again. Nothing for a role that may not. */
export function SendAgain({ transmissionReference, onSent }: SendAgainProps) {
  const client = useQueryClient();
  const sending = useChange('sendAgain');
  if (!useMay('queue:manage')) return null;
  const send = (): void => {
    if (sending.isPending) return;
    sending.mutate(
      { params: { transmissionReference } },
      {
        onSuccess: () => {
          onSent?.();
          readParkedAgain(client);
        },
        // Without an answer it may have been sent; after a conflict it is no longer parked.
        onError: (error) => {
          if (error instanceof Unreachable) readParkedAgain(client);
        },
      },
    );
  };
  return (
    <>
      <button type="button" onClick={send} aria-disabled={sending.isPending}>
        Send again <span className="hidden">{transmissionReference}</span>
      </button>
      <ErrorAlert error={sending.error} />
    </>
  );
}

/** Reads again what changes when transmissions are no longer parked. */
export function readParkedAgain(client: QueryClient): void {
  for (const name of ['listParked', 'groupParked', 'readQueue', 'readTransmission'])
    void client.invalidateQueries({ queryKey: [name] });
}
