import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

interface DialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly role?: 'dialog' | 'alertdialog';
  /** Called by Escape. Without it the dialog closes only by its buttons. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** A modal dialog of the browser: the focus stays in it, and goes back to where it was. */
export function Dialog({ isOpen, ...dialog }: DialogProps) {
  return isOpen ? createPortal(<OpenDialog {...dialog} />, document.body) : null;
}

function OpenDialog({ title, role, onClose, children }: Omit<DialogProps, 'isOpen'>) {
  const titleId = useId();
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    // Not its first button, which may be the one that confirms.
    dialog?.focus();
    return () => dialog?.close();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // The browser would close it by itself, although the page still shows it.
    event.preventDefault();
    event.stopPropagation();
    onClose?.();
  };
  return (
    <dialog
      ref={place}
      className="dialog"
      role={role === 'alertdialog' ? role : undefined}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
