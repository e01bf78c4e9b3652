import { SubmitButton } from './submit-button.tsx';

interface FormButtonsProps {
  readonly action: string;
  readonly isPending: boolean;
  readonly onCancel?: () => void;
}

export function FormButtons({ action, isPending, onCancel }: FormButtonsProps) {
  return (
    <div className="buttons">
      <SubmitButton isPending={isPending}>{action}</SubmitButton>
      {onCancel === undefined ? null : (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </div>
  );
}
