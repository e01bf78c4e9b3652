import type { Organization } from '../../../shared/contract/staff/organizations.ts';
import type { Membership, Pool } from '../../../shared/contract/staff/pools.ts';
import { makeBody } from '../api/bodies.ts';
import { type Stack, startStack } from '../api/stack.ts';
import { listPage } from './lists.ts';
import { type StaffBrowser, signInAs } from './staff.ts';

export const POOLS = '/admin/v1/pools';
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** A stack with an administrator who manages pools. */
export class PoolWorld {
  readonly stack: Stack;
  readonly admin: StaffBrowser;
  readonly #ids: ReadonlyMap<string, string>;
  #made = 0;

  private constructor(stack: Stack, admin: StaffBrowser, ids: ReadonlyMap<string, string>) {
    this.stack = stack;
    this.admin = admin;
    this.#ids = ids;
  }

  static async start(): Promise<PoolWorld> {
    const stack = await startStack();
    const admin = await signInAs(stack, 'ADMINISTRATOR');
    const { items } = await listPage<Organization>(admin, '/admin/v1/organizations?limit=200');
    return new PoolWorld(stack, admin, new Map(items.map(({ code, id }) => [code, id])));
  }

  /** The id of a demonstration organization. */
  idOf(code: string): string {
    return this.#ids.get(code) ?? UNKNOWN_ID;
  }

  /** Creates a pool that INS-ALPHA leads, unless the body says otherwise. */
  async createPool(body: object = {}): Promise<Pool> {
    this.#made += 1;
    const { envelope, status, text } = await this.admin.post(POOLS, {
      code: `POOL-${this.#made}`,
      name: `Pool ${this.#made}`,
      leadInsurerId: this.idOf('INS-ALPHA'),
      ...body,
    });
    if (status !== 201) throw new Error(text);
    return envelope.data as unknown as Pool;
  }

  change(id: string, body: object) {
    return this.admin.send({ method: 'PATCH', path: `${POOLS}/${id}`, body });
  }

  add(poolId: string, body: object) {
    return this.admin.post(`${POOLS}/${poolId}/memberships`, body);
  }

  async addMember(poolId: string, body: object): Promise<Membership> {
    const { envelope, status, text } = await this.add(poolId, body);
    if (status !== 201) throw new Error(text);
    return envelope.data as unknown as Membership;
  }

  end(poolId: string, membershipId: string, body: object) {
    return this.admin.post(`${POOLS}/${poolId}/memberships/${membershipId}/end`, body);
  }

  /** Transmits a policy of an insurer that was issued on a date, and returns the error codes. */
  async errorsOf(client: string, issuingInsurerCode: string, issuanceDate: string) {
    const body = makeBody({ issuingInsurerCode, policy: { issuanceDate } });
    const { findings } = await this.stack.transmit(client, body);
    return findings.filter(({ severity }) => severity === 'ERROR').map(({ code }) => code);
  }
}
