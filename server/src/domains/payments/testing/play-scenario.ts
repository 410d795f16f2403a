import { createNetworkCache } from '../../providers/networks/list-networks.ts'
import { createRoutingMemory } from '../../routing/policies/track-routing.ts'
import { noLists } from '../../compliance/sanctions/record.ts'
import { noSignals } from '../../routing/signals/record.ts'
import { fundPayment } from '../../products/virtual-accounts/transactions/fund-payment.ts'
import { noScreener } from '../../products/ramps/screening/screen-address.ts'
import { advancePayment } from '../supervision/advance-payment.ts'
import { cancelPayment } from '../actions/cancel-payment.ts'
import { confirmPayment } from '../actions/confirm-payment.ts'
import { findAttempt } from '../attempts/reads.ts'
import { initiatePayment, type InitiationDeps } from '../initiation/initiate-payment.ts'
import type { InitiationDraft } from '../initiation/draft-payment.ts'
import { defaultPollSchedule } from '../attempts/rules.ts'
import { reviewPayment, type ReviewDeps } from '../reviews/review-payment.ts'
import { submitAction } from '../attempts/submit-action.ts'
import { webhookToken } from '../../providers/accounts/rules.ts'
import { receiveWebhook } from '../../after/provider-webhooks/receive-webhook.ts'
import type { WebhookDeps } from '../../after/provider-webhooks/record.ts'
import { advanceRefund } from '../refunds/advance-refund.ts'
import { findRefundByReference } from '../refunds/reads.ts'
import { refundPayment, type RefundDeps } from '../refunds/refund-payment.ts'
import type { Caller, Role } from '../../../lib/requests/access.ts'
import { AppError } from '../../../lib/errors.ts'
import { configsOf, orgOf, policiesOf, schedulesOf, withOwnAccounts, type Stage } from './stage-settings.ts'
import { newBooks, startProcess, type HookBody, type ProviderBooks } from './scripted-providers.ts'
import { refundMoney } from './model-refund.ts'
import { clockedDatabase } from '../../../../test/app/clocked-database.ts'
import { disputeBody, type DisputeBody } from './play-dispute.ts'
import { resolveByTwo, unrelatedPeople } from './play-resolution.ts'
import { priceSettings, sendDeadlineMs, type ClosingStep, type Scenario, type Step } from './scenarios.ts'

/** One payment of the real operations, whose providers follow the scenario. */
interface Player {
  paymentId(): string
  books: ProviderBooks
  pass(ms: number): void
  nowMs(): number
  initiate(): Promise<string>
  call(step: Step): Promise<string>
}

type StepDeps = InitiationDeps & WebhookDeps & ReviewDeps & RefundDeps & Pick<Stage, 'accountIds' | 'doors'>

const corridorsOf = (stage: Stage, scenario: Scenario): InitiationDeps['corridors'] => ({
  list: () => Promise.resolve(configsOf(stage, scenario)),
  inbound: () => Promise.resolve([]),
  ofMethod: () => Promise.resolve([]),
  invalidate: () => undefined,
})
const noRouting = {
  routingPolicies: { published: () => Promise.resolve(undefined), invalidate: () => undefined },
  routingSignals: noSignals,
  sanctions: noLists,
  routingMemory: createRoutingMemory(),
}
const notPlayed = {
  ...unrelatedPeople,
  checkRamp: () => Promise.reject(new Error('the scenarios have no ramps')),
  receiveDispute: () => Promise.reject(new Error('the providers have no list of disputes')),
}
const keysOf = ({ key }: Stage) => ({
  returnKey: key,
  webhookKey: key,
  accountNumberKey: key,
  screeningKey: key,
})

export function startPlayer(shared: Stage, scenario: Scenario): Player {
  const stage = withOwnAccounts(shared, scenario)
  const books = newBooks()
  const { orgId, orgRateId } = orgOf(stage, scenario)
  const providerOf = new Map([...stage.accountIds].map(([provider, accountId]) => [accountId, provider]))
  let nowMs = Date.now()
  const clock = { now: () => new Date(nowMs) }
  let paymentId = ''
  const processOf = (step: Step | undefined) => {
    const running = startProcess({ scenario, books, step, providerOf, deliverEarly })
    const deps: StepDeps = {
      ...stage,
      db: clockedDatabase(stage.db, clock),
      clock,
      connectors: running.connectors,
      meter: { attempt: () => undefined, providerCall: () => undefined, delivery: () => undefined },
      breakers: { isUnhealthy: () => false, record: () => undefined },
      publicUrl: 'http://127.0.0.1',
      ...keysOf(stage),
      limitUnverified: () => undefined,
      sendDeadlineMs,
      wallets: { chains: [], signer: undefined },
      screener: noScreener,
      feeSchedules: { list: () => Promise.resolve(schedulesOf(scenario)), invalidate: () => undefined },
      corridors: corridorsOf(stage, scenario),
      ...noRouting,
      pollSchedule: defaultPollSchedule,
      funding: fundPayment,
      networkCache: createNetworkCache(),
      ...priceSettings,
      ...notPlayed,
      approvalPolicies: policiesOf(scenario),
    }
    return { deps, died: running.died }
  }
  const deliverEarly = async (provider: string, fact: HookBody['fact']): Promise<void> => {
    const reference = books.referenceOf.get(provider) ?? ''
    const hook: HookBody = {
      dedupeKey: `${provider} early ${reference}`,
      reference,
      subject: 'attempt',
      fact,
      amount: 'right',
    }
    await deliver(processOf(undefined).deps, provider, hook)
  }
  return {
    books,
    paymentId: () => paymentId,
    pass: (ms) => void (nowMs += ms),
    nowMs: () => nowMs,
    async initiate() {
      if (stage !== shared) await openAccounts(stage)
      const { deps, died } = processOf(undefined)
      const started = initiatePayment(deps, callerOf(orgId, 'initiator'), draftOf(scenario, orgRateId))
      const answer = await answerOf(
        started.then(({ payment }) => (paymentId = payment.paymentId)),
        died,
      )
      const [reference] = books.seen.values()
      if (reference !== undefined) paymentId = (await findAttempt(deps, reference))?.paymentId ?? ''
      return answer
    },
    call(step) {
      const { deps, died } = processOf(step)
      return answerOf(perform(deps, { step, scenario, books, orgId, paymentId }), died)
    },
  }
}

async function openAccounts({ accountIds, doors }: Stage): Promise<void> {
  for (const [provider, accountId] of accountIds) await doors.openAccount(provider, accountId)
}

/** An error for the caller is an answer like any other; everything else is a defect. */
async function answerOf(work: Promise<unknown>, died: Promise<'died'>): Promise<string> {
  try {
    const result = await Promise.race([work, died])
    return result === 'died' || result === 'skipped' || result === '503' ? result : 'done'
  } catch (error) {
    if (error instanceof AppError && error.status !== 503) return String(error.status)
    throw error
  }
}

interface Performance {
  step: Step
  scenario: Scenario
  books: ProviderBooks
  orgId: string
  paymentId: string
}

async function perform(deps: StepDeps, performance: Performance): Promise<unknown> {
  const { step, scenario, books, orgId, paymentId } = performance
  const admin = callerOf(orgId, 'admin')
  switch (step.do) {
    case 'advance':
      return advancePayment(deps, { orgId, paymentId })
    case 'cancel':
      return cancelPayment(deps, admin, { paymentId })
    case 'review':
      return reviewPayment(deps, callerOf(orgId, step.by), {
        paymentId,
        decision: step.decision,
        comments: null,
      })
    case 'password':
      return submitAction(deps, admin, { paymentId, action: { type: 'submit_otp', otp: '123456' } })
    case 'confirm':
      return confirmPayment(deps, operatorFrom(admin), { paymentId, outcome: step.outcome, comments: null })
    case 'resolve':
      return resolveByTwo(deps, admin, { paymentId, outcome: step.outcome })
    case 'refund':
      return refundPayment(deps, admin, {
        paymentId,
        amount: refundMoney(scenario, step.percent),
        reason: 'scripted',
      })
    case 'hook': {
      const provider = scenario.providers[step.route] ?? ''
      const reference = books.referenceOf.get(provider)
      if (reference === undefined || provider === 'manual') return 'skipped'
      const { fact, amount } = step
      const dedupeKey = `${provider} ${step.key} ${reference}`
      return deliver(deps, provider, { dedupeKey, reference, subject: 'attempt', fact, amount })
    }
    case 'dispute': {
      const provider = scenario.providers[step.route] ?? ''
      const reference = books.referenceOf.get(provider)
      if (reference === undefined || provider === 'manual') return 'skipped'
      return deliver(deps, provider, disputeBody(reference, step)).catch(laterAgain)
    }
    case 'refund hook':
    case 'refund advance':
      return performRefund(deps, { ...performance, step })
    case 'close':
    case 'reopen':
    case 'match':
      return performClosing(deps, { ...performance, step })
  }
}

async function performClosing(
  { doors, accountIds }: StepDeps,
  { step, scenario, orgId, paymentId }: Performance & { step: ClosingStep },
): Promise<unknown> {
  if (step.do === 'match') return doors.match({ orgId, paymentId }, step.status)
  const provider = scenario.providers[step.route]
  if (provider === undefined) return 'skipped'
  const accountId = accountIds.get(provider) ?? ''
  return step.do === 'close' ? doors.close(accountId, step.how) : doors.reopen(accountId)
}

async function performRefund(
  deps: StepDeps,
  { step, books, orgId }: Performance & { step: Extract<Step, { do: 'refund hook' | 'refund advance' }> },
): Promise<unknown> {
  const reference = books.refundReferences[step.nth]
  const refund = reference === undefined ? undefined : await findRefundByReference(deps, reference)
  if (!refund || reference === undefined) return 'skipped'
  if (step.do === 'refund advance') return advanceRefund(deps, { orgId, refundId: refund.refundId, poll: 0 })
  const dedupeKey = `refund ${step.key} ${reference}`
  const amount = { amountMinor: String(refund.amountMinor), currency: refund.currency }
  const hook: HookBody = { dedupeKey, reference, subject: 'refund', fact: step.fact, amount }
  return deliver(deps, refund.provider, hook)
}

/** A dispute of a payment that is still under way is sent again later. */
function laterAgain(error: unknown): string {
  if (error instanceof AppError && error.status === 503) return '503'
  throw error
}

function deliver(deps: StepDeps, provider: string, body: HookBody | DisputeBody): Promise<void> {
  return receiveWebhook(deps, {
    provider,
    token: webhookToken(deps.webhookKey, deps.accountIds.get(provider) ?? '', provider),
    request: {
      headers: {},
      rawBody: Buffer.from(JSON.stringify(body)),
      method: 'POST',
      origin: 'http://127.0.0.1',
      target: '/',
    },
  })
}

const people: Record<string, Role> = {
  initiator: 'org-admin',
  colleague: 'staff',
  admin: 'org-admin',
  'other admin': 'org-admin',
}

const callerOf = (orgId: string, userId: string): Caller => ({
  orgId,
  userId,
  role: people[userId] ?? 'viewer',
  permissions: new Set(),
  features: new Set(),
  credential: { kind: 'jwt' },
  origin: { ip: 'test', userAgent: undefined, requestId: 'model' },
})

/** The scenarios' manual payments are carried out at the installation's account. */
const operatorFrom = (caller: Caller): Caller => ({ ...caller, permissions: new Set(['platform:write']) })

const draftOf = (scenario: Scenario, orgRateId: string): InitiationDraft => ({
  orgId: undefined,
  userId: undefined,
  direction: scenario.direction,
  method: scenario.method as InitiationDraft['method'], // the scenarios name only such
  country: 'GB',
  source: scenario.source,
  target: scenario.target,
  orgRateId: scenario.source.currency === scenario.target.currency ? null : orgRateId,
  clientReference: null,
  description: null,
  beneficiaryId: null,
  returnUrl: null,
  metadata: null,
  details: scenario.direction === 'outbound' ? { payee: { name: 'Payee' } } : { payer: { name: 'Payer' } },
  card:
    scenario.method === 'card'
      ? { number: '4242424242424242', expiryMonth: '12', expiryYear: '2031', cvv: '123' }
      : undefined,
  cardSummary:
    scenario.method === 'card'
      ? { brand: 'visa', first6: '424242', last4: '4242', expiry_month: '12', expiry_year: '2031' }
      : null,
  networkCodes: undefined,
})
