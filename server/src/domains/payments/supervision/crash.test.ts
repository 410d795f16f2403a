import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crashPoints, type CrashPoint } from '../../../../test/processes/crash-points/points.ts'
import { auditAcrossOrgs, formatFindings } from '../../../kernel/ledger/audit.ts'
import type { Program } from '@switchyard/stack/programs.ts'
import { startCrashingApi, startPaymentWorker } from '../../../../test/processes/processes-payments.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { transitions } from '../lifecycle/rules.ts'

const t = usePayments()
let org: OrgPayments
let worker: Program
let payee: string
let stopped: Awaited<ReturnType<typeof startStopped>>
const started: Program[] = []

/** 22 in the cents or at the end of the phone number: the provider sends no webhook, so the engine is on its own. */
const amounts = { amount: 50.22, target_amount: 50.22 }
const methods = ['mobile money', 'bank payout', 'card'] as const
type Method = (typeof methods)[number]
const bodies: Record<Method, () => Json> = {
  // Two providers carry it, so a payment that never left may go by the second.
  'mobile money': () =>
    mobileMoneyPayin({
      currency: 'KES',
      target_currency: 'KES',
      country: 'KE',
      mobile_money_details: { provider: 'MPESA', phone_number: '254708374122' },
    }),
  'bank payout': () => bankPayout(payee, amounts),
  card: () => cardPayin(amounts),
}
const cases = crashPoints.flatMap((point) => methods.map((method) => ({ point, method })))

const atOnce = 3
const startLimitMs = 120_000
const endLimitMs = 60_000

beforeAll(async () => {
  org = await openPayments(t)
  payee = await org.addBeneficiary(bankBeneficiary())
  worker = await startPaymentWorker(t)
  stopped = await startStopped()
  const waiting = [...cases]
  const crashNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await crash(next.point, next.method)
  }
  await Promise.all(Array.from({ length: atOnce }, crashNext))
}, startLimitMs)
afterAll(() => Promise.all([worker, ...started].map((program) => program.stop())))

const nameOf = (point: CrashPoint, method: Method): string => `${point} ${method}`
const keyOf = (name: string): string => name.replaceAll(' ', '-')
const bodyOf = (point: CrashPoint, method: Method): Json => ({
  ...bodies[method](),
  client_reference: nameOf(point, method),
})

async function crash(point: CrashPoint, method: Method): Promise<void> {
  const { program, initiate } = await startCrashingApi(t, point)
  started.push(program)
  const key = keyOf(nameOf(point, method))
  const isAnswered = await initiate(org.credential, bodyOf(point, method), key)
  const { signal } = await program.exited
  if (signal !== 'SIGKILL' || isAnswered) throw new Error(`the api did not crash:\n${program.output()}`)
}

/** Between its first commit and its call it stands still until it is woken up. */
async function startStopped(): Promise<{ program: Program; answered: Promise<boolean> }> {
  const { program, initiate } = await startCrashingApi(t, 'after_first_commit', 'SIGSTOP')
  started.push(program)
  const body = { ...bodies['mobile money'](), client_reference: 'stopped' }
  return { program, answered: initiate(org.credential, body) }
}

interface CrashResult {
  id: string
  status: string
  failure: string | null
  references: string[]
}

async function find(name: string): Promise<CrashResult | undefined> {
  const { rows } = await t.owner.query<CrashResult>(
    `select payment_id as id, status, failure_code as failure,
            array(select reference::text from attempts a where a.payment_id = p.payment_id order by attempt_no) as references
     from payments p where client_reference = $1`,
    [name],
  )
  return rows[0]
}

/** No request and no webhook touches the payment: the engine alone brings it there. */
const ended = (name: string): Promise<CrashResult> =>
  until(
    `the end of ${name}`,
    async () => {
      const found = await find(name)
      return found && ['completed', 'failed'].includes(found.status) ? found : undefined
    },
    endLimitMs,
  )

const accepted = ({ references }: CrashResult) =>
  t.simulator.log().filter((entry) => references.includes(entry.reference))

describe.each(methods)('%s: the api is killed', (method) => {
  it('before the first commit: there is no payment, and nothing was sent', async () => {
    expect(await find(nameOf('before_first_commit', method))).toBeUndefined()
  })

  it.each(['during_the_call', 'after_the_answer', 'before_second_commit', 'after_second_commit'] as const)(
    '%s: what the provider has taken completes, once',
    async (point) => {
      const payment = await ended(nameOf(point, method))
      expect(accepted(payment)).toHaveLength(1)
      expect(payment).toMatchObject({ status: 'completed', failure: null })
      expect(payment.references).toHaveLength(1)
    },
    endLimitMs,
  )
})

describe('the api is killed after the first commit, and nothing was sent', () => {
  const point: CrashPoint = 'after_first_commit'

  it(
    'mobile money: the second provider takes it, and the first never hears of it',
    async () => {
      const payment = await ended(nameOf(point, 'mobile money'))
      expect(payment.status).toBe('completed')
      expect(payment.references).toHaveLength(2)
      expect(accepted(payment)).toMatchObject([{ provider: 'paystack', reference: payment.references[1] }])
    },
    endLimitMs,
  )

  it(
    'a payout that has no other provider fails, and its hold is released',
    async () => {
      const payment = await ended(nameOf(point, 'bank payout'))
      expect(payment).toMatchObject({ status: 'failed', failure: 'ALL_PROVIDERS_FAILED' })
      expect(accepted(payment)).toEqual([])
      expect(await org.postings(payment.id)).toMatchObject([{ phase: 'pending' }, { phase: 'void' }])
    },
    endLimitMs,
  )

  it(
    'a card is gone with the process: it is not sent again, and the payment says so',
    async () => {
      const payment = await ended(nameOf(point, 'card'))
      expect(payment).toMatchObject({ status: 'failed', failure: 'CARD_DETAILS_GONE' })
      expect(payment.references).toHaveLength(1)
      expect(accepted(payment)).toEqual([])
    },
    endLimitMs,
  )
})

describe('an api that stands still before the call', () => {
  it(
    'and wakes up when others have given its attempt up sends nothing',
    async () => {
      const before = await ended('stopped')
      stopped.program.signal('SIGCONT')
      expect(await stopped.answered).toBe(true)
      expect(await find('stopped')).toEqual(before)
      expect(accepted(before)).toMatchObject([{ reference: before.references[1] }])
    },
    endLimitMs,
  )
})

describe('after all of it', () => {
  it('no payment was accepted twice, and the audit finds nothing', async () => {
    const { rows } = await t.owner.query<{ references: string[] }>(
      'select array_agg(reference::text) as references from attempts group by payment_id',
    )
    const log = t.simulator.log()
    const counts = rows.map(
      ({ references }) => log.filter((entry) => references.includes(entry.reference)).length,
    )
    expect(counts).toHaveLength(cases.length - methods.length + 1)
    expect(Math.max(...counts)).toBe(1)
    const findings = await auditAcrossOrgs(t.deps.db.readAcrossOrgs, transitions)
    expect(formatFindings(findings.filter((finding) => finding.violations > 0))).not.toContain(':')
  })
})

describe('the same request with the same Idempotency-Key, in another process', () => {
  const repeat = (point: CrashPoint, method: Method) =>
    org.initiate(bodyOf(point, method), { headers: { 'idempotency-key': keyOf(nameOf(point, method)) } })

  it.each(cases.filter(({ point }) => point !== 'before_first_commit'))(
    '$point, $method: is answered with the payment as it is, and nothing more is sent',
    async ({ point, method }) => {
      const payment = await find(nameOf(point, method))
      const before = t.simulator.log().length
      const answer = await repeat(point, method)
      const isFailed = payment?.status === 'failed'
      expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([isFailed ? 502 : 200, 'true'])
      if (isFailed)
        expect(answer.body).toMatchObject({ code: 'ALL_PROVIDERS_FAILED', payment_id: payment.id })
      else expect(answer.body.response).toMatchObject({ payment_id: payment?.id, status: payment?.status })
      expect(t.simulator.log()).toHaveLength(before)
    },
  )

  it.each(methods)('before the first commit, %s: begins the payment', async (method) => {
    const answer = await repeat('before_first_commit', method)
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([200, undefined])
    const payment = await find(nameOf('before_first_commit', method))
    expect(answer.body.response.payment_id).toBe(payment?.id)
  })
})
