import { beforeAll, beforeEach, expect } from 'vitest'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'

export const policies = '/v1/routing/policies'
export const priority = { type: 'priority' }
export const paystackFirst: Json = {
  rules: [
    {
      name: 'Kenya',
      when: { country: ['KE'], method: ['mobile_money'] },
      strategy: { type: 'priority', order: [{ provider: 'paystack' }] },
    },
  ],
  otherwise: priority,
}

/** An organisation of its own for each test, and the calls about its routing policy. */
export function usePolicies() {
  const t = usePayments({ delayMs: untilSettled })
  const world = { t, org: undefined as unknown as OrgPayments, operator: '' } // both set before each test
  beforeAll(() => {
    world.operator = t.seed.platformAdmin.api_key
  })
  beforeEach(async () => {
    world.org = await openPayments(t)
  })
  const put = (document: Json, as = world.org.credential, more: Json = {}): Promise<CallAnswer> =>
    t.call('PUT', `${policies}/draft`, { as, body: { document, ...more } })
  const drafted = async (document: Json, as?: string, more?: Json): Promise<number> => {
    const answer = await put(document, as, more)
    expect(answer.status).toBe(200)
    return answer.body.data.version
  }
  const act = (
    version: number,
    verb: string,
    as = world.org.credential,
    body: Json = {},
  ): Promise<CallAnswer> => t.call('POST', `${policies}/${version}/${verb}`, { as, body })
  const published = async (document: Json): Promise<number> => {
    const version = await drafted(document)
    expect((await act(version, 'publish')).status).toBe(200)
    return version
  }
  const list = async (): Promise<[number, string][]> => {
    const { body } = await world.org.call('GET', policies)
    return body.data.map(({ version, state }: Json) => [version, state])
  }
  return Object.assign(world, { put, drafted, act, published, list })
}
