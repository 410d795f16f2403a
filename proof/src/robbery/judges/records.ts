import type { Transaction } from '@switchyard/simulator/core/transaction.ts'
import { minorOf, type Evidence, type Movement } from '../evidence.ts'
import { installationAccount } from '../own-keys.ts'
import type { Violation } from './judge.ts'
import { depositedTo } from './operator.ts'

/** Invariant 17: no pooled balance is below its limit, and no virtual account below zero. */
export function belowLimits({ balances, limits }: Evidence): Violation[] {
  const limitOf = new Map(limits.map(({ orgId, currency, minor }) => [`${orgId} ${currency}`, minor]))
  return balances.flatMap(({ orgId, account, currency, minor }) => {
    const limit = account === 'available' ? (limitOf.get(`${orgId} ${currency}`) ?? 0n) : 0n
    return minor >= -limit
      ? []
      : [
          {
            judge: 'below the limit',
            subject: orgId,
            problem: `${account} is ${minor} ${currency}, the limit is ${limit}`,
          },
        ]
  })
}

const inOperations = { payin: 'collect', payout: 'payout', refund: 'refund', leg: '' } as const
const settledStates = ['succeeded', 'completed']
const hasHappened = ({ state }: Transaction): boolean => ['completed', 'reversed'].includes(state)

/** Whether the transaction lies in an account of the custody that our record names. */
const isWhere = (custody: Movement['custody'], { account }: Transaction): boolean =>
  (custody === 'pooled') === (account === installationAccount)

/**
 * Invariant 18: what counts as settled here was carried out by the account that carries it; manual payments are judged by who
 * confirmed them. Credits of virtual accounts have a deposit at the account that opened them. An organisation holds the
 * keys of its own account, so whatever is signed with them is that account's word.
 */
export function confirmedByNobody(evidence: Evidence): Violation[] {
  const { movements, messages, transactions } = evidence
  const said = new Set(
    messages
      .filter(({ verdict }) => verdict === 'verified')
      .map(({ accountId, reference }) => `${accountId} ${reference}`),
  )
  const done = Map.groupBy(transactions.filter(hasHappened), ({ reference }) => reference)
  const settled = movements.filter(
    ({ provider, kind, state }) => provider !== 'manual' && kind !== 'leg' && settledStates.includes(state),
  )
  const attempts = settled.flatMap((movement): Violation[] => {
    const { kind, provider, reference, custody, accountId, paymentId } = movement
    const isOwnWord = custody === 'own' && said.has(`${accountId} ${reference}`)
    const isCarriedOut = (done.get(reference) ?? []).some(
      (transaction) =>
        transaction.provider === provider &&
        transaction.operation === inOperations[kind] &&
        isWhere(custody, transaction),
    )
    const problem = `a ${kind} at ${provider} is settled here, and no ${custody} account there carried it out`
    return isOwnWord || isCarriedOut ? [] : [{ judge: 'confirmed by nobody', subject: paymentId, problem }]
  })
  return [...attempts, ...unbackedCredits(evidence)]
}

/** A deposit is credited on the word of the account that opened the virtual account; the operator's received it, too. */
function unbackedCredits({ credits, messages, transactions }: Evidence): Violation[] {
  const deposits = Map.groupBy(transactions.filter(hasHappened), (one) => depositedTo(one) ?? '')
  return credits.flatMap(({ accountId, openedBy, custody, currency, minor }) => {
    const of = (problem: string): Violation => ({ judge: 'confirmed by nobody', subject: accountId, problem })
    const stranger = messages.find(
      (message) => message.result.endsWith(`virtual account ${accountId}`) && message.accountId !== openedBy,
    )
    if (stranger) return [of(`account ${stranger.accountId} reported a deposit, ${openedBy} opened it`)]
    const arrived = (deposits.get(accountId) ?? [])
      .filter((transaction) => isWhere(custody, transaction))
      .reduce((sum, transaction) => sum + minorOf(transaction), 0n)
    return custody === 'own' || minor <= arrived
      ? []
      : [of(`a virtual account was credited with ${minor} ${currency}, its bank received ${arrived}`)]
  })
}

/** Invariant 18 for manual payments: two people, and the operator's own account only by the operator. */
export function confirmedAlone({ confirmations }: Evidence): Violation[] {
  return confirmations.flatMap(({ paymentId, userId, startedBy, custody }) => {
    if (userId === startedBy)
      return [
        { judge: 'confirmed alone', subject: paymentId, problem: 'the person who started it confirmed it' },
      ]
    return custody === 'own'
      ? []
      : [
          {
            judge: 'confirmed alone',
            subject: paymentId,
            problem: 'a member confirmed a payment of the operator’s account',
          },
        ]
  })
}

/** The results that nobody has to look at. When a provider is asked and cannot say, the payment gets an exception. */
const harmless =
  /^(taken as|refund |unsigned|without the amount|the provider (?:is|was) asked|credited|held in suspense|found by|manual review|forged|refused: the signature)/

/** Invariant 19: a verified message about a known payment changed something, or is in front of a person. */
export function messagesLost({ messages, movements, exceptions }: Evidence): Violation[] {
  const known = new Set(movements.map(({ reference }) => reference))
  const raised = exceptions.map(({ findingKey, summary }) => `${findingKey} ${summary}`).join('\n')
  const raisedPayments = new Set(exceptions.map(({ paymentId }) => paymentId))
  return messages
    .filter(({ verdict, reference }) => verdict === 'verified' && known.has(reference))
    .filter(({ result }) => !harmless.test(result))
    .filter(({ reference, paymentId }) => !raised.includes(reference) && !raisedPayments.has(paymentId))
    .map(({ reference, result }) => ({
      judge: 'message lost',
      subject: reference,
      problem: `a message was kept as "${result}", and nobody is told`,
    }))
}

type FourEyesRule = {
  readonly orgId: string
  readonly currency: string
  readonly payoutFromMinor: bigint
  readonly dailyFromMinor: bigint
}

/**
 * Whatever one insider and the members of their making do, single payouts and their sum stay under the policy. The
 * second administrator never acts, so an approval in that name is the insider's, too.
 */
export function fourEyes({ sent, movements }: Evidence, rule: FourEyesRule): Violation[] {
  const known = new Map(movements.map((movement) => [movement.reference, movement]))
  const alone = sent.flatMap((transaction) => {
    const movement = known.get(transaction.reference)
    if (movement?.orgId !== rule.orgId || transaction.operation !== 'payout') return []
    if (transaction.currency !== rule.currency || ['failed', 'canceled'].includes(transaction.state))
      return []
    return [{ subject: movement.paymentId, minor: minorOf(transaction) }]
  })
  const sum = alone.reduce((total, { minor }) => total + minor, 0n)
  const single = alone
    .filter(({ minor }) => minor >= rule.payoutFromMinor)
    .map(({ subject, minor }) => ({
      judge: 'four eyes' as const,
      subject,
      problem: `${minor} ${rule.currency} were paid by one person, the policy begins at ${rule.payoutFromMinor}`,
    }))
  if (sum < rule.dailyFromMinor) return single
  const problem = `${sum} ${rule.currency} were paid by one person within a day, the policy begins at ${rule.dailyFromMinor}`
  return [...single, { judge: 'four eyes', subject: rule.orgId, problem }]
}
