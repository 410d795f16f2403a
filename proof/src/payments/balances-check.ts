import { parseMinor } from '@switchyard/server/lib/money/money.ts'
import type { Evidence } from './evidence.ts'
import { leftToPeople } from './expected-exceptions.ts'
import type { Violation } from './violation.ts'

/** Each provider's balance in the ledger must be exactly what the provider collected and paid out. */
export function balancesDiffer(evidence: Evidence): Violation[] {
  const expected = new Map<string, bigint>()
  const suspects = new Map<string, string[]>()
  const isOurs = completedHere(evidence)
  const awaitingReview = leftToPeople(evidence)
  const takenBack = takenBackOf(evidence)
  const ownRefunds = new Set(
    evidence.refunds.filter(({ foreignRef }) => foreignRef === null).map(({ reference }) => reference),
  )
  const owners = new Map(
    [...evidence.attempts, ...evidence.refunds].map(({ reference, paymentId }) => [reference, paymentId]),
  )
  for (const [reference, transaction] of evidence.transactions) {
    const { state, provider, currency, operation } = transaction
    // If the webhook of a reversal or of a dashboard's refund was lost, the nightly reconciliation finds that.
    const owner = owners.get(reference) ?? ''
    const isForeign = operation === 'refund' && !ownRefunds.has(reference)
    const isDisputed = state === 'reversed' || isForeign || takenBack.has(owner) || awaitingReview.has(owner)
    const counts = isDisputed ? isOurs.has(reference) : state === 'completed'
    const key = `${provider} ${currency}`
    if (counts !== isOurs.has(reference))
      suspects.set(key, [...(suspects.get(key) ?? []), `${owners.get(reference) ?? reference} (${state})`])
    if (!counts) continue
    const minor = parseMinor(transaction.amount, currency) ?? 0n
    expected.set(key, (expected.get(key) ?? 0n) + (operation === 'collect' ? minor : -minor))
  }
  return [...new Set([...expected.keys(), ...evidence.providerBalances.keys()])].flatMap((key) => {
    const [theirs, ours] = [expected.get(key) ?? 0n, evidence.providerBalances.get(key) ?? 0n]
    const where = suspects.get(key)?.join(', ') ?? 'nowhere in particular'
    const problem = `the ledger says ${ours}, the provider ${theirs}; they differ in ${where}`
    return theirs === ours ? [] : [{ invariant: 'I7', subject: key, problem }]
  })
}

/** References of the attempts and refunds that we consider done. */
function completedHere(evidence: Evidence): Set<string> {
  const takenBack = takenBackOf(evidence)
  const isKept = ({ paymentId }: { paymentId: string }): boolean => !takenBack.has(paymentId)
  return new Set([
    ...evidence.attempts
      .filter((one) => one.state === 'succeeded' && isKept(one))
      .map(({ reference }) => reference),
    // What is left of a payment is taken back with it, so its earlier refunds cancel out; the excess does not.
    ...evidence.refunds
      .filter((one) => one.state === 'completed' && (isKept(one) || one.isExcess))
      .map(({ reference }) => reference),
  ])
}

const takenBackOf = ({ payments }: Evidence): Set<string> =>
  new Set(payments.filter(({ isTakenBack }) => isTakenBack).map(({ paymentId }) => paymentId))
