import { type MouseEvent, useEffect, useRef, useState } from 'react';

interface FieldLinkProps {
  /** As the registry names it, such as ipAllowlist[1]. */
  readonly field: string;
  readonly message: string;
}

interface Shown {
  readonly label: string;
  readonly control: HTMLElement;
}

/** Names the field of a refusal. If a field of the form shows the message, this is a link to that field. */
export function FieldLink({ field, message }: FieldLinkProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState<Shown>();
  useEffect(() => setShown(findField(place.current, message)), [message]);
  const go = (event: MouseEvent): void => {
    // The address stays as it is.
    event.preventDefault();
    shown?.control.focus();
  };
  return (
    <span ref={place}>
      {shown === undefined ? (
        <code>{field}</code>
      ) : (
        <>
          <a href={`#${shown.control.id}`} onClick={go}>
            {shown.label}
          </a>
          {/* Which of several entries of one control it is. */}
          {field.includes('[') ? <code> {field}</code> : null}
        </>
      )}
    </span>
  );
}

function findField(place: HTMLElement | null, message: string): Shown | undefined {
  for (const field of place?.closest('form')?.querySelectorAll('.field') ?? []) {
    const control = field.querySelector<HTMLElement>('input, select, textarea');
    const isHere = field.querySelector('.field-error')?.textContent?.includes(message) === true;
    if (isHere && control !== null) {
      return { label: field.querySelector('label, legend')?.textContent ?? message, control };
    }
  }
  return undefined;
}
