import type { TransmissionStatus } from '../../../shared/contract/enums.ts';
import { successEnvelope } from '../../../shared/contract/machine/envelope.ts';
import { acknowledge, type ReceivedRequest, type Reply, refuse } from './fake-registry.ts';

/** A registry in memory that settles what it receives, with its change feed (D37) and its lookup (D36). */
export function makeFakeFeed(
  statusOf: (externalTransactionId: string) => TransmissionStatus = () => 'ACCEPTED',
) {
  const changes: object[] = [];
  const received = new Map<string, TransmissionStatus>();
  let isFeedSilent = false;

  function transmit({ body }: ReceivedRequest): Reply {
    const { externalTransactionId: id } = JSON.parse(body.toString());
    if (received.has(id)) {
      return acknowledge(200, { externalTransactionId: id, status: 'ACCEPTED', replayed: true });
    }
    const status = statusOf(id);
    received.set(id, status);
    changes.push({
      cursor: String(changes.length + 1),
      type: 'TRANSMISSION_COMPLETED',
      kind: 'CREATE',
      status,
      errorCode: status === 'REJECTED' ? 'VALIDATION_FAILED' : null,
      transmissionReference: `TX-${id}`,
      externalTransactionId: id,
      registryReference: status === 'REJECTED' ? null : `PPAI-${id}`,
    });
    const registryReference = null;
    return acknowledge(202, { externalTransactionId: id, status: 'RECEIVED', registryReference });
  }

  function readChanges(target: string): Reply {
    const query = new URL(target, 'http://registry').searchParams;
    const after = query.get('after');
    const start = after === 'now' ? changes.length : Number(after ?? 0);
    const limit = Number(query.get('limit'));
    const items = isFeedSilent ? [] : changes.slice(start, start + limit);
    const next = String(start + items.length);
    const caughtUp = start + items.length === changes.length || isFeedSilent;
    return { status: 200, body: successEnvelope({ items, next, caughtUp, highWaterMark: null }) };
  }

  function lookUp({ body }: ReceivedRequest): Reply {
    const { externalTransactionIds: ids } = JSON.parse(body.toString());
    const items = ids.map((id: string) => {
      const status = received.get(id);
      if (status === undefined)
        return { externalTransactionId: id, found: false, transmission: null };
      const isRejected = status === 'REJECTED';
      const transmission = {
        status,
        transmissionReference: `TX-${id}`,
        externalTransactionId: id,
        registryReference: isRejected ? null : `PPAI-${id}`,
        errorCode: isRejected ? 'VALIDATION_FAILED' : null,
        findings: isRejected
          ? [{ level: 1, code: 'REQUIRED', field: 'vehicles[0].plateNumber' }]
          : [],
      };
      return { externalTransactionId: id, found: true, transmission };
    });
    return { status: 200, body: successEnvelope({ items }) };
  }

  return {
    received,
    changes,
    /** The feed brings nothing any more. */
    silence: () => {
      isFeedSilent = true;
    },
    answer: (request: ReceivedRequest): Reply => {
      const { target } = request;
      if (target.startsWith('/api/v1/ppai/changes')) return readChanges(target);
      if (target === '/api/v1/ppai/transmissions/lookup') return lookUp(request);
      return target.startsWith('/api/v1/ppai/policies') ? transmit(request) : refuse('NOT_FOUND');
    },
  };
}
