import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RequestOf } from '../../../api/contract.ts';
import { useChange } from '../../../api/queries.ts';
import { readParkedAgain } from './send-again.tsx';

export type ParkedFilter = RequestOf<'sendAllAgain'>['body'];

interface Sending {
  readonly state: 'ready' | 'running' | 'ended';
  /** How many were sent by now. */
  readonly sent: number;
  /** How many match the filter after the last request. */
  readonly left: number;
  readonly error: unknown;
  start(): void;
  /** Ends after the request that is running. */
  stop(): void;
}

/**
 * Sends all parked transmissions that match a filter again: one request after the other while some are left, because each sends a
 * limited number. It ends when as many were sent as the user agreed to, so that what is parked meanwhile is not sent too.
 */
export function useSending(filter: ParkedFilter, total: number): Sending {
  const client = useQueryClient();
  const change = useChange('sendAllAgain');
  const isStopped = useRef(false);
  const [state, setState] = useState<Sending['state']>('ready');
  const [{ sent, left }, setProgress] = useState({ sent: 0, left: total });
  const [error, setError] = useState<unknown>();
  // A dialog that is gone sends nothing more.
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);

  const send = async (): Promise<void> => {
    let sum = sent;
    let isDone = false;
    while (!isDone && !isStopped.current) {
      const answer = await change.mutateAsync({ body: filter });
      sum += answer.sent;
      setProgress({ sent: sum, left: answer.left });
      // Another request holds the rest when none was sent although some are left.
      isDone = answer.left === 0 || answer.sent === 0 || sum >= total;
    }
  };
  const start = (): void => {
    isStopped.current = false;
    setError(undefined);
    setState('running');
    send()
      .catch(setError)
      .finally(() => {
        setState('ended');
        readParkedAgain(client);
      });
  };
  return {
    state,
    sent,
    left,
    error,
    start,
    stop: () => {
      isStopped.current = true;
    },
  };
}
