import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approveChange } from '../../../../../test/app/people.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  createTestClock,
  ghanaianPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../../test/worlds/test-payments.ts'
import { loadList } from '../lists/load-list.ts'
import { ofacXml, writeListFile } from '../testing/list-files.ts'

/** What a payment needed when it was requested, it needs again when it is sent. */
const dayMs = 24 * 3_600_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeAll(async () => {
  const entries = [{ uid: '1', first: 'Oluakin', last: 'NDUEZEMI', born: '10 Dec 1948' }]
  const path = await writeListFile('sdn.xml', ofacXml(entries))
  await loadList(t.deps, { path, loadedBy: 'operator', allowsShrinking: true })
  await t.deps.sanctions.refresh()
})
beforeEach(async () => {
  org = await openPayments(t)
})

const ownPaystack = async (): Promise<string> => {
  const key = `sk_test_${randomUUID()}`
  t.simulator.configure('paystack', { account: key, secrets: { secret_key: key } })
  await org.ownAccount('paystack', { secretKey: key, baseUrl: `${t.simulator.url}/paystack` }, key)
  const { body } = await org.call('GET', '/v1/payments/provider-accounts?provider=paystack')
  return body.data.find((account: Json) => account.org_id === org.orgId).account_id
}
const retire = async (accountId: string): Promise<void> => {
  const { status } = await org.call('PATCH', `/v1/payments/provider-accounts/${accountId}`, {
    status: 'retired',
  })
  expect(status).toBe(200)
}
/** A payout that waits, because its recipient may be on a list. */
async function held(change: Json = {}): Promise<string> {
  const listed = { fname: 'Olu Akin', lname: 'Nduezemi' }
  return org.start(bankPayout(await org.addBeneficiary(bankBeneficiary(listed)), change))
}
async function release(id: string): Promise<void> {
  const found = (await t.call('GET', '/v1/screening/matches?limit=100', { as: org.credential })).body.data
  const body = { reason: 'Compared the passports.' }
  const path = `/v1/screening/matches/${found[0].match_id}/clear`
  await approveChange(t, await t.call('POST', path, { as: org.credential, body }))
  await org.advance(id)
}
const exchanged = async (): Promise<Json> => {
  const path = '/v1/organizations/admin/exchange-rate?fromCurrency=USD&toCurrency=NGN'
  const { rate, org_rate_id } = (await org.call('GET', path)).body.data
  const target_amount = Math.round(100 * Number(rate) * 100) / 100
  return { amount: 100, currency: 'USD', target_currency: 'NGN', target_amount, org_rate_id }
}
const phases = async (id: string): Promise<string[]> => (await org.postings(id)).map(({ phase }) => phase)

describe('a payout that was held', () => {
  it('is sent once it is released, if nothing has changed', async () => {
    const id = await held()
    expect(await org.accepted(id)).toEqual([])
    await release(id)
    expect(await org.accepted(id)).toHaveLength(1)
  })

  it('is not sent at a rate that has expired, and its hold is released', async () => {
    const id = await held(await exchanged())
    clock.pass(5 * dayMs)
    try {
      await release(id)
    } finally {
      clock.pass(-5 * dayMs)
    }
    expect(await org.accepted(id)).toEqual([])
    expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'RATE_EXPIRED' } })
    expect(await phases(id)).toEqual(['pending', 'void'])
  })

  it('is not sent to an account that was retired', async () => {
    const accountId = await ownPaystack()
    const id = await held()
    await retire(accountId)
    await release(id)
    const { rows } = await t.owner.query('select from attempts where payment_id = $1 and account_id = $2', [
      id,
      accountId,
    ])
    expect(rows).toEqual([])
  })

  it('is not sent by a route that was switched off', async () => {
    await ownPaystack()
    const id = await held()
    await t.owner.query('update provider_configs set is_active = false where org_id = $1', [org.orgId])
    await release(id)
    expect(await org.accepted(id)).toEqual([])
    expect((await org.record(id)).status).toBe('failed')
  })

  it('is not sent for an organisation whose verification was withdrawn', async () => {
    const id = await held()
    await t.owner.query(`update organizations set kyb_status = 'rejected' where org_id = $1`, [org.orgId])
    await release(id)
    expect(await org.accepted(id)).toEqual([])
    expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'KYB_REQUIRED' } })
    expect(await phases(id)).toEqual(['pending', 'void'])
  })

  it('from an own account needs no verification', async () => {
    await ownPaystack()
    const id = await held()
    await t.owner.query(`update organizations set kyb_status = 'rejected' where org_id = $1`, [org.orgId])
    await release(id)
    expect(await org.accepted(id)).toHaveLength(1)
  })
})

describe('a declined route that is repeated later', () => {
  it('is not repeated at an account that was retired since, and the payment ends', async () => {
    const accountId = await ownPaystack()
    const document = {
      rules: [],
      otherwise: { type: 'priority' },
      fallback: { INSUFFICIENT_FUNDS: 'later', PROVIDER_UNAVAILABLE: 'later' },
    }
    const draft = await org.call('PUT', '/v1/routing/policies/draft', { document })
    await org.call('POST', `/v1/routing/policies/${draft.body.data.version}/publish`, {})
    const fault = { on: 'collect', fault: 'decline', reason: 'insufficient_funds', times: 1 } as const
    t.simulator.setFaults('paystack', [fault])
    const id = await org.start(ghanaianPayin())
    await retire(accountId)
    clock.pass(60_000)
    try {
      await org.advance(id)
    } finally {
      clock.pass(-60_000)
      t.simulator.setFaults('paystack', [])
    }
    expect((await org.attempts(id)).map(({ data }) => data.state)).toEqual(['declined'])
    expect(await org.record(id)).toMatchObject({ status: 'failed', failure: { code: 'INSUFFICIENT_FUNDS' } })
  })
})

it('a refund of a payment uses the account that took it, although it is retired', async () => {
  const accountId = await ownPaystack()
  const id = await org.start(ghanaianPayin())
  await t.simulator.settle({ all: true })
  expect((await org.record(id)).status).toBe('completed')
  await retire(accountId)
  expect((await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'asked' })).status).toBe(201)
})

it('the database refuses an attempt without an open route, whoever inserts it', async () => {
  const id = await org.start(ghanaianPayin())
  const insert = t.owner.query(
    `insert into attempts (org_id, payment_id, attempt_no, provider, config_id, account_id, custody, reference, state,
       deadline_at)
     select org_id, payment_id, 9, provider, gen_random_uuid(), account_id, custody, gen_random_uuid(), 'sending', now()
     from attempts where payment_id = $1`,
    [id],
  )
  await expect(insert).rejects.toThrow('the route is closed')
})
