import { Component, type ReactNode } from 'react';
import { useDrafts } from '../session/drafts.tsx';

interface ErrorBoundaryProps {
  /** Another key tries again: the path of another page. */
  readonly resetKey: string;
  readonly children: ReactNode;
}

/** A page that fails leaves the rest of the console usable. The error itself is on the browser's console. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps): void {
    if (this.state.hasFailed && resetKey !== this.props.resetKey)
      this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return <FailedPage />;
  }
}

function FailedPage() {
  const hasDrafts = useDrafts().size > 0;
  return (
    <div className="page-narrow" role="alert">
      <h1>This page could not be shown</h1>
      <p>
        The registry may be out of reach, the console may have been replaced by a newer release, or
        it has a fault. Nothing was changed.
      </p>
      {hasDrafts ? (
        <p>
          <strong>You have typed something that is not saved.</strong> It is lost when this page is
          loaded again. Go back and save or copy it first.
        </p>
      ) : null}
      <div className="buttons">
        {hasDrafts ? (
          <button type="button" className="primary" onClick={() => history.back()}>
            Go back
          </button>
        ) : null}
        <button
          type="button"
          className={hasDrafts ? undefined : 'primary'}
          onClick={() => location.reload()}
        >
          Load it again
        </button>
      </div>
    </div>
  );
}
