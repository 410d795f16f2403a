import { expect } from 'vitest'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import type { OrgPayments, TestPayments } from '../../../../../test/worlds/test-payments.ts'
import { erasePerson } from '../erase-person.ts'

export const erasuresPath = '/v1/privacy/erasures'
export const reason = 'Asked by letter.'

export const payerOf = (name: string) => ({
  payer_details: { name: `${name} Canary`, email: `${name}.canary@example.com` },
})

/** What the tests of erasures do again and again. */
export function eraserOf(t: TestPayments) {
  const request = (org: OrgPayments, body: Json): Promise<CallAnswer> =>
    org.call('POST', erasuresPath, { reason, ...body })
  const run = (org: OrgPayments, erasure: Json): Promise<void> =>
    erasePerson(t.deps, { orgId: org.orgId, erasureId: erasure.erasure_id })
  const read = async (org: OrgPayments, erasure: Json): Promise<Json> =>
    (await org.call('GET', `${erasuresPath}/${erasure.erasure_id}`)).body.data
  return {
    request,
    run,
    read,
    async erase(org: OrgPayments, body: Json): Promise<Json> {
      const answer = await request(org, body)
      expect(answer.status).toBe(201)
      await run(org, answer.body.data)
      return read(org, answer.body.data)
    },
    async paid(org: OrgPayments, body: Json): Promise<string> {
      const id = await org.start(body)
      await t.simulator.settle({ all: true })
      await org.advance(id)
      // The simulator returns a payout that is settled once more.
      expect(['completed', 'refunded']).toContain((await org.record(id)).status)
      return id
    },
    rowOf: async (paymentId: string): Promise<Json> =>
      (await t.owner.query('select * from payments where payment_id = $1', [paymentId])).rows[0],
  }
}
