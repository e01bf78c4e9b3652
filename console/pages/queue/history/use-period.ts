import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { PERIODS, type Period, type Span, spanOf } from './period.ts';

const MINUTE_MS = 60_000;

interface ShownPeriod {
  readonly period: Period;
  choose(period: Period): void;
  readonly span: Span;
  /** True once the period has moved on by itself since the user chose it. */
  readonly hasMoved: boolean;
}

/** The period that the charts show, `period` of the URL. Its end follows the time unless it is paused. */
export function usePeriod(isPaused: boolean): ShownPeriod {
  const [params, setParams] = useSearchParams();
  const period = PERIODS.find((one) => one === params.get('period')) ?? PERIODS[0];
  const [end, setEnd] = useState(() => ({ at: Date.now(), hasMoved: false }));
  useEffect(() => {
    if (isPaused) return undefined;
    const advancing = window.setInterval(() => {
      if (!document.hidden) setEnd({ at: Date.now(), hasMoved: true });
    }, MINUTE_MS);
    return () => window.clearInterval(advancing);
  }, [isPaused]);
  const choose = (chosen: Period): void => {
    setEnd({ at: Date.now(), hasMoved: false });
    const next = new URLSearchParams(params);
    next.set('period', chosen);
    setParams(next);
  };
  const span = useMemo(() => spanOf(period, end.at), [period, end.at]);
  return { period, choose, span, hasMoved: end.hasMoved };
}
