import { type ReactNode, useState } from 'react';
import { messagesOf } from '../api/errors.ts';
import { Dialog } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';
import { SubmitButton } from './form/submit-button.tsx';
import { TextArea } from './form/text-area.tsx';
import { TextField } from './form/text-field.tsx';
import { useSubmit } from './form/use-submit.ts';

interface ConfirmProps {
  /** The button that opens the dialog, and the title of the dialog. */
  readonly action: string;
  readonly title: string;
  /** What happens, in a sentence or two. */
  readonly children: ReactNode;
  /** Asks for a reason, which is kept in the audit log. */
  readonly asksReason?: boolean;
  /** The user must type this text, for what cannot be undone. */
  readonly typed?: string;
  readonly isDangerous?: boolean;
  /** The dialog closes when it resolves, and shows the error when it rejects. */
  readonly onConfirm: (reason: string) => Promise<unknown>;
}

/** A button whose action is confirmed in a dialog. */
export function Confirm({ action, isDangerous = false, ...dialog }: ConfirmProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={isDangerous ? 'dangerous' : undefined}
        onClick={() => setIsOpen(true)}
      >
        {action}
      </button>
      {isOpen ? (
        <ConfirmDialog {...dialog} action={action} onClose={() => setIsOpen(false)} />
      ) : null}
    </>
  );
}

interface ConfirmDialogProps extends Omit<ConfirmProps, 'isDangerous'> {
  readonly onClose: () => void;
}

function ConfirmDialog({
  action,
  title,
  children,
  asksReason = false,
  typed,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [isWrong, setIsWrong] = useState(false);
  const { error, isPending, submit } = useSubmit(async (field) => {
    const isAsTyped = typed === undefined || field('typed').trim() === typed;
    setIsWrong(!isAsTyped);
    if (!isAsTyped) return;
    await onConfirm(field('reason'));
    onClose();
  });
  return (
    <Dialog isOpen title={title} role="alertdialog" onClose={onClose}>
      {children}
      <form onSubmit={submit}>
        <ErrorAlert error={error} />
        {asksReason ? (
          <TextArea label="Reason" name="reason" required error={messagesOf(error, 'reason')[0]} />
        ) : null}
        {typed === undefined ? null : (
          <TextField
            label={`Type ${typed} to confirm`}
            name="typed"
            autoComplete="off"
            required
            error={isWrong ? `This is not ${typed}.` : undefined}
          />
        )}
        <div className="buttons">
          <SubmitButton isPending={isPending}>{action}</SubmitButton>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
