import { useState } from 'react';

/** Says that it copied, in its own label, until the pointer or the focus leaves. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  };
  return (
    <button
      type="button"
      className="link"
      onClick={copy}
      onBlur={() => setIsCopied(false)}
      onPointerLeave={() => setIsCopied(false)}
    >
      <span aria-hidden>{isCopied ? 'Copied' : 'Copy'}</span>
      <span className="hidden" role="status">
        {isCopied ? `${what} copied` : ''}
      </span>
      <span className="hidden">Copy {what}</span>
    </button>
  );
}
