import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  createTestClock,
  kenyanPayin,
  mobileMoneyPayin,
  openPayments,
  startTestPayments,
  type OrgPayments,
  type TestPayments,
} from '../../../../test/worlds/test-payments.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { startTestWorker, type TestWorker } from '../../../../test/app/test-worker.ts'
import { breakerKey } from '../configs/track-route-health.ts'

/** Fifty attempts in doubt, with an engine that asks about them, while the keys or the account itself are replaced. */
const count = 50
const atOnce = 10
const limitMs = 180_000
const callTimeoutMs = 1_500
const hourMs = 3_600_000
const clock = createTestClock()
const accounts = '/v1/payments/provider-accounts'
const configs = '/v1/payments/provider-configs'

let t: TestPayments
let worker: TestWorker
let org: OrgPayments
beforeAll(async () => {
  t = await startTestPayments({ sendDeadlineMs: 2 * callTimeoutMs, clock, env: { LOG_LEVEL: 'silent' } })
  worker = await startTestWorker(t)
})
afterAll(async () => {
  await expectCleanAudit(t)
  await worker.stop()
  await t.close()
})
beforeEach(async () => {
  t.simulator.setFaults('pawapay', [])
  org = await openPayments(t)
  await org.networks({ country: 'KE' })
})

/** The token of a merchant account at the simulated provider; another one replaces it there. */
function tokenOf(account: string, name: string): Json {
  const apiToken = `${name} ${org.orgId}`
  t.simulator.configure('pawapay', { account: simulated(account), secrets: { api_token: apiToken } })
  return { apiToken, baseUrl: t.simulator.providerUrl('pawapay'), timeoutMs: callTimeoutMs }
}
const simulated = (account: string): string => `${account} ${org.orgId}`

async function addAccount(account: string): Promise<string> {
  const body = { provider: 'pawapay', label: account, credentials: tokenOf(account, account) }
  return (await org.call('POST', accounts, body)).body.data.account_id
}
const useIn = (country: string, account_id?: string): Promise<CallAnswer> =>
  org.call('POST', configs, {
    provider: 'pawapay',
    country,
    payment_method: 'mobile_money',
    direction: 'inbound',
    priority: 1,
    ...(account_id !== undefined && { account_id }),
  })

async function inBatches<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
  between: () => Promise<void> = async () => undefined,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += atOnce) {
    results.push(...(await Promise.all(items.slice(from, from + atOnce).map(run))))
    await between()
  }
  return results
}

/** Otherwise the other provider would be preferred after a few calls without an answer. */
async function keepRoutesHealthy(): Promise<void> {
  const { rows } = await t.owner.query('select account_id from provider_accounts where org_id = $1', [
    org.orgId,
  ])
  for (const { account_id } of rows)
    for (const country of ['KE', 'UG'])
      t.deps.breakers.record(breakerKey(org.orgId, account_id, { country, method: 'mobile_money' }), true)
}

/** The provider has taken them; neither its answers, nor its webhooks, nor its answers to inquiries arrive. */
async function startInDoubt(bodies: readonly Json[]): Promise<string[]> {
  t.simulator.setFaults('pawapay', [
    { on: 'collect', fault: 'timeout_after', times: 1_000_000 },
    { on: 'inquire', fault: 'error_500', times: 1_000_000 },
    { on: 'webhook', fault: 'webhook_drop', times: 1_000_000 },
  ])
  const ids = await inBatches(bodies, (body) => org.start(body), keepRoutesHealthy)
  expect(await summaryOf(ids)).toEqual([{ attempts: 1, state: 'unknown', payments: ids.length }])
  return ids
}
const answerInquiries = (): void =>
  t.simulator.setFaults('pawapay', [{ on: 'webhook', fault: 'webhook_drop', times: 1_000_000 }])

async function summaryOf(ids: readonly string[]): Promise<Json[]> {
  const { rows } = await t.owner.query(
    `select attempts, state, count(*)::integer as payments from (
       select payment_id, count(*)::integer as attempts, min(state) as state from attempts
       where payment_id = any($1) group by payment_id) counted
     group by attempts, state`,
    [ids],
  )
  return rows
}

async function expectOneCharge(ids: readonly string[], account: string): Promise<void> {
  const { rows } = await t.owner.query<{ reference: string }>(
    'select reference from attempts where payment_id = any($1)',
    [ids],
  )
  const references = new Set(rows.map(({ reference }) => reference))
  const charges = t.simulator.log().filter(({ reference }) => references.has(reference))
  expect(charges.map((charge) => charge.account)).toEqual(ids.map(() => simulated(account)))
  expect(new Set(charges.map(({ reference }) => reference)).size).toBe(ids.length)
}

/** The engine asks at the account that carries them; asking beside it is what their webhooks would cause. */
async function expectToEndOnce(ids: readonly string[], account: string): Promise<void> {
  await until(
    'every payment to complete',
    async () => {
      const { rows } = await t.owner.query<{ id: string }>(
        `select payment_id as id from payments where payment_id = any($1) and status <> 'completed'`,
        [ids],
      )
      await inBatches(rows, ({ id }) => org.advance(id))
      return rows.length === 0
    },
    limitMs / 2,
  )
  expect(await summaryOf(ids)).toEqual([{ attempts: 1, state: 'succeeded', payments: ids.length }])
  await expectOneCharge(ids, account)
  const { rows } = await t.owner.query(
    `select count(*)::integer as transfers from ledger_transfers where cause_id = any($1)`,
    [ids],
  )
  expect(rows).toEqual([{ transfers: ids.length }])
}

const inquiryResults = async (ids: readonly string[]): Promise<string[]> => {
  const { rows } = await t.owner.query<{ result: string }>(
    'select distinct result from inquiries where payment_id = any($1) order by result',
    [ids],
  )
  return rows.map(({ result }) => result)
}
const payins = Array.from({ length: count }, () => kenyanPayin())

it(
  'keys rotated by PUT provider-credentials: the same account is asked with the new ones',
  { timeout: limitMs },
  async () => {
    await addAccount('first')
    await useIn('KE')
    const ids = await startInDoubt(payins)
    const rotated = await org.call('PUT', '/v1/payments/provider-credentials/pawapay', {
      credentials: tokenOf('first', 'rotated'),
    })
    expect(rotated.status).toBe(200)
    answerInquiries()
    await expectToEndOnce(ids, 'first')
    expect(await inquiryResults(ids)).not.toContain('not_found')
  },
)

it(
  'two accounts of two configurations, and the keys of the wrong one by mistake: nothing is sent again',
  { timeout: limitMs },
  async () => {
    const [first, second] = [await addAccount('first'), await addAccount('second')]
    await useIn('KE', first)
    await useIn('UG', second)
    const half = count / 2
    const ugandan = Array.from({ length: half }, () => mobileMoneyPayin())
    const ids = await startInDoubt([...payins.slice(0, half), ...ugandan])
    const [atFirst, atSecond] = [ids.slice(0, half), ids.slice(half)]
    // pawaPay does not tell whose a token is, so a second token of the other account is taken.
    const mistaken = tokenOf('second', 'second')
    const put = (credentials: Json): Promise<CallAnswer> =>
      org.call('PUT', `${accounts}/${first}/credentials`, { credentials })
    expect((await put(mistaken)).status).toBe(200)
    answerInquiries()
    for (let polls = 0; polls < 3; polls++) {
      clock.pass(hourMs)
      await inBatches(atFirst, (id) => org.advance(id))
    }
    expect(await inquiryResults(atFirst)).toContain('not_found')
    expect(await summaryOf(atFirst)).toEqual([{ attempts: 1, state: 'unknown', payments: half }])
    await expectOneCharge(atFirst, 'first')
    await expectToEndOnce(atSecond, 'second')
    expect(await inquiryResults(atSecond)).not.toContain('not_found')
    expect((await put(tokenOf('first', 'corrected'))).status).toBe(200)
    await expectToEndOnce(atFirst, 'first')
  },
)

it(
  'an account replaced by a new one and retired: it is still asked about what it carries',
  { timeout: limitMs },
  async () => {
    const first = await addAccount('first')
    await useIn('KE')
    const ids = await startInDoubt(payins)
    await addAccount('second')
    const retired = await org.call('PATCH', `${accounts}/${first}`, { status: 'retired' })
    expect(retired.body.data.status).toBe('retired')
    answerInquiries()
    const later = await org.start(kenyanPayin())
    await expectToEndOnce(ids, 'first')
    expect(await inquiryResults(ids)).not.toContain('not_found')
    await expectToEndOnce([later], 'second')
  },
)
