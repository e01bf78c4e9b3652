import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { uploadReference } from '../../api/upload.ts';

interface Uploading {
  readonly error: unknown;
  readonly isPending: boolean;
  send(file: File): void;
  stop(): void;
}

/**
 * Uploads a file and opens the page of its import. An upload without an answer may have arrived, so the list of imports is read
 * again in any case. Leaving the page stops the upload.
 */
export function useUpload(): Uploading {
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (file: File): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setError(undefined);
    setIsPending(true);
    try {
      const { id } = await uploadReference(file, controller.signal);
      navigate(`/reference/imports/${id}`);
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
    } finally {
      setIsPending(false);
      void client.invalidateQueries({ queryKey: ['listReferenceImports'] });
    }
  };
  return {
    error,
    isPending,
    send: (file) => void send(file),
    stop: () => running.current?.abort(),
  };
}
