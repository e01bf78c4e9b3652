import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react';

interface DropDownProps {
  /** What the button shows. */
  readonly button: ReactNode;
  readonly buttonClass: string;
  /** Of the panel. */
  readonly label: string;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly children: (close: () => void) => ReactNode;
}

/** A button with a panel that opens beside it. It closes by Escape, and when the focus leaves it. */
export function DropDown({ button, buttonClass, label, onOpenChange, children }: DropDownProps) {
  const panelId = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const show = (isShown: boolean): void => {
    if (isShown === isOpen) return;
    setIsOpen(isShown);
    onOpenChange?.(isShown);
  };
  const close = (): void => {
    // Before the panel goes, and the focus with it.
    opener.current?.focus();
    show(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    close();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) show(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: no control itself; the keys and the focus of its button and its panel bubble to it
    <div className="drop-down" onKeyDown={onKeyDown} onBlur={onBlur}>
      <button
        type="button"
        className={buttonClass}
        ref={opener}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => show(!isOpen)}
      >
        {button}
      </button>
      {isOpen ? (
        // Takes the focus from a click beside its buttons, which would otherwise leave it.
        <fieldset id={panelId} className="drop-panel" aria-label={label} tabIndex={-1}>
          {children(close)}
        </fieldset>
      ) : null}
    </div>
  );
}
