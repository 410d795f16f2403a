import { afterEach, beforeEach, expect, it } from 'vitest'
import { mainFile, startProgram, type Env, type Program } from '@switchyard/stack/programs.ts'
import { seedFunds } from '@switchyard/stack/seeds/seed-funds.ts'
import { paymentEnv } from '../../../../test/processes/processes-payments.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import { credentialHeaders, type Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  openUnverified,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const payouts = 64
const covered = 20
const amount = 50

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let payee: string
let apis: { program: Program; url: string }[]
beforeEach(async () => {
  org = await openUnverified(t)
  await seedFunds(t.deps, org.orgId, BigInt(covered * amount))
  payee = await org.addBeneficiary(bankBeneficiary())
  apis = await Promise.all(Array.from({ length: 3 }, startApi))
}, 120_000)
afterEach(async () => {
  await Promise.all(apis.map(({ program }) => program.stop()))
}, 60_000)

async function startApi(): Promise<{ program: Program; url: string }> {
  // A connection for each payout: waiting for one would be answered with 503 on a busy machine.
  const env: Env = { ...(await paymentEnv(t)), DATABASE_POOL_SIZE: '22' }
  const program = await startProgram(mainFile('api'), env)
  const url = `http://127.0.0.1:${env['API_PORT']}`
  await program.untilReady(`${url}/readyz`)
  return { program, url }
}

/** The status of the answer, or undefined when the connection broke. */
async function pay(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/v1/payments-init/initiate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentialHeaders(org.credential) },
      body: JSON.stringify(bankPayout(payee, { amount, target_amount: amount })),
    })
    return response.status
  } catch {
    return undefined
  }
}

const payAll = (): Promise<number | undefined>[] =>
  Array.from({ length: payouts }, (_, index) => pay(apis[index % apis.length]!.url))

async function balance(): Promise<Json> {
  const { body } = await org.call('GET', `/v1/organizations/${org.orgId}/balances`)
  return body.data.find(({ currency }: Json) => currency === 'NGN')
}

async function sentCount(): Promise<number> {
  const { rows } = await t.owner.query<{ reference: string }>(
    'select reference from attempts where org_id = $1',
    [org.orgId],
  )
  const references = new Set(rows.map(({ reference }) => reference))
  return t.simulator.log().filter(({ reference }) => references.has(reference)).length
}

it('64 payouts at once from three apis: those that the balance covers are sent, the others refused', async () => {
  const statuses = await Promise.all(payAll())
  expect(statuses.filter((status) => status === 200)).toHaveLength(covered)
  expect(statuses.filter((status) => status === 422)).toHaveLength(payouts - covered)
  expect(await sentCount()).toBe(covered)
  expect(await balance()).toMatchObject({ available: 0, held: 0, in_transit: covered * amount })
  await expectCleanAudit(t)
}, 120_000)

it('an api that is killed in between spends nothing that the balance does not cover', async () => {
  const answers = payAll()
  await Promise.race(answers)
  apis[0]!.program.signal('SIGKILL')
  const statuses = await Promise.all(answers)
  const refused = statuses.filter((status) => status === 422)
  expect(refused.length).toBeGreaterThan(0)
  expect(await sentCount()).toBeLessThanOrEqual(covered)
  const { available, held, in_transit } = await balance()
  expect(available).toBeGreaterThanOrEqual(0)
  expect(available + held + in_transit).toBe(covered * amount)
  await expectCleanAudit(t)
}, 120_000)
