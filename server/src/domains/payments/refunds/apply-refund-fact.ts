import type { CompiledQuery } from 'kysely'
import { dropStatement } from '../../../kernel/engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import { insertTransfers } from '../../../kernel/ledger/transfers.ts'
import { changeStatus } from '../lifecycle/change-status.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { LoadedPayment, Payment, PaymentDeps } from '../record.ts'
import type { PayinSums } from '../sums/record.ts'
import { exceeds } from '../sums/rules.ts'
import type { Fact } from '../lifecycle/rules.ts'
import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { negativeBalanceStatements } from '../../people/exceptions/raise-negative-balance.ts'
import type { NewException } from '../../people/exceptions/record.ts'
import { settleExceptions } from '../../people/exceptions/settle-exceptions.ts'
import { yieldTo } from './close-waiting-refund.ts'
import { refundPostings } from './build-refund-postings.ts'
import { exceptionTexts } from './errors.ts'
import { decideRefund, refundedSums, termsOfRefund, type RefundDecision } from './rules.ts'
import { isEndedRefund, type Refund } from './record.ts'
import { findRefund, updateRefund } from './store.ts'

/** Writes what a fact means for a refund, its payment, the ledger and the events in one transaction. */
export function applyRefundFact(
  deps: PaymentDeps,
  { orgId, refundId, paymentId }: Pick<Refund, 'orgId' | 'refundId' | 'paymentId'>,
  fact: Fact,
  extraStatements: CompiledQuery[] = [],
): Promise<Refund> {
  return retryOnConflict('the refund', async () => {
    // The payment is read first: its refunded amount then never includes more than the refund's own state shows.
    const loaded = await loadPayment(deps, orgId, paymentId)
    const current = await deps.db.inOrg(orgId, (tx) => findRefund(tx, orgId, refundId))
    if (!current) throw new Error('the refund no longer exists')
    const decision = decideRefund(current.state, fact)
    if (decision.state === current.state && !decision.exception && extraStatements.length === 0)
      return current
    const isBooked = decision.state === 'completed' && current.state !== 'completed'
    const written: Refund = {
      ...current,
      ...(isBooked && termsOfRefund(loaded.payment, current.amountMinor, current.marketRate)),
      state: decision.state,
      providerRef: fact.kind === 'accepted' ? (fact.providerRef ?? current.providerRef) : current.providerRef,
      failureCode: decision.failure?.code ?? current.failureCode,
      failureMessage: decision.failure?.message ?? current.failureMessage,
      version: current.version + 1,
      updatedAt: deps.clock.now(),
    }
    const exceptions = exceptionsOf(written, { decision, isBooked })
    await writeRefundChange(deps, loaded, {
      before: current,
      after: written,
      exceptions,
      extraStatements: [...extraStatements, ...exceptions.map((row) => insertException(orgId, row))],
    })
    return written
  })
}

interface RefundChange {
  before: Refund
  after: Refund
  exceptions: readonly NewException[]
  extraStatements: CompiledQuery[]
}

async function writeRefundChange(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  change: RefundChange,
): Promise<void> {
  const { before, after } = change
  const { orgId } = after
  const statements = [updateRefund(orgId, before.version, after), ...change.extraStatements]
  if (!isEndedRefund(after) || isEndedRefund(before)) {
    await deps.db.batchInOrg(orgId, statements)
    return
  }
  const postings = refundPostings(before, after)
  statements.push(dropStatement(orgId, after.refundId), ...settledDoubts(deps, after))
  if (postings.length > 0)
    statements.push(insertTransfers(orgId, postings), ...negativeBalanceStatements(orgId, postings))
  const { payment } = await yieldTo(deps, loaded, (found) => sumsAfter(found, change))
  const bookedMinor = after.state === 'completed' ? after.amountMinor - after.excessMinor : 0n
  const refundedMinor = payment.refundedMinor + bookedMinor
  await changeStatus(
    deps,
    { payment, attempts: loaded.attempts },
    {
      status: refundedMinor === payment.source.amountMinor ? 'refunded' : payment.status,
      patch: { refundedMinor, sums: sumsAfter(payment, change) },
      extraStatements: statements,
    },
  )
}

/** Only our own refunds are counted while they are under way. */
function sumsAfter({ source, sums }: Payment, { after, exceptions }: RefundChange): PayinSums {
  const endedMinor = after.origin === 'api' ? after.amountMinor : 0n
  const ended = { ...sums, refundingMinor: sums.refundingMinor - endedMinor }
  const written = after.state === 'completed' ? refundedSums(ended, after.amountMinor) : ended
  const exceptionId = sums.exceptionId ?? exceptions.at(-1)?.exceptionId ?? null
  return exceeds({ source, sums: written }) ? { ...written, exceptionId } : written
}

/** Only an old refund can be in doubt, so others do not pay for the statement. */
const settledDoubts = ({ pollSchedule }: PaymentDeps, refund: Refund): CompiledQuery[] =>
  refund.updatedAt.getTime() - refund.begunAt.getTime() < pollSchedule.refundLimitMs
    ? []
    : [
        settleExceptions(refund.orgId, {
          paymentId: refund.paymentId,
          kinds: ['refund_unknown'],
          resolution: `The refund is ${refund.state}.`,
          closedBy: null,
        }),
      ]

function exceptionsOf(
  refund: Refund,
  { decision, isBooked }: { decision: RefundDecision; isBooked: boolean },
): NewException[] {
  const { excessMinor } = refund
  const rows: NewException[] = []
  if (decision.exception) rows.push(exceptionFor(refund, decision.exception))
  if (isBooked && refund.origin === 'provider') rows.push(exceptionFor(refund, 'refund_elsewhere'))
  if (isBooked && excessMinor > 0n)
    rows.push({
      ...exceptionFor(refund, 'refund_exceeds_payment'),
      held: {
        amountMinor: -excessMinor,
        currency: refund.currency,
        provider: refund.provider,
        accountId: refund.accountId,
        custody: refund.custody,
      },
    })
  return rows
}

const exceptionFor = (
  { refundId, paymentId, provider }: Refund,
  kind: keyof typeof exceptionTexts,
): NewException => ({
  exceptionId: newId(),
  kind,
  paymentId,
  provider,
  findingKey: `${kind} ${refundId}`,
  ...exceptionTexts[kind],
})
