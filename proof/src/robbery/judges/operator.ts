import type { Transaction } from '@switchyard/simulator/core/transaction.ts'
import { minorOf, type Evidence, type Money, type Movement } from '../evidence.ts'
import { installationAccount } from '../own-keys.ts'
import { thiefWallet } from '../requests.ts'
import type { Violation } from './judge.ts'

/** A transaction that is still open may yet be carried out, so it counts as gone. */
const isGone = ({ state }: Transaction): boolean =>
  ['pending', 'action_required', 'completed'].includes(state)
/** A payin that its provider reversed later was real when it came; losing it is no theft of this kind. */
const hasArrived = ({ state }: Transaction): boolean => ['completed', 'reversed'].includes(state)
const isPooled = ({ account }: Transaction): boolean => account === installationAccount

const depositChannel = 'dedicated_nuban'

/** The ledger books in another currency than the provider carries when the payment was exchanged. */
const scaled = ({ booked, carried }: Movement, minor: bigint): Money => ({
  currency: booked.currency,
  minor: carried.minor === 0n ? 0n : (booked.minor * minor) / carried.minor,
})

/** Sums of minor units by organisation and currency. */
class Sums {
  readonly #sums = new Map<string, bigint>()
  add(orgId: string, { currency, minor }: Money): void {
    const key = `${orgId} ${currency}`
    this.#sums.set(key, (this.#sums.get(key) ?? 0n) + minor)
  }
  get(key: string): bigint {
    return this.#sums.get(key) ?? 0n
  }
  keys(): string[] {
    return [...this.#sums.keys()]
  }
}

const byReference = (movements: readonly Movement[]): ReadonlyMap<string, Movement> =>
  new Map(movements.map((movement) => [movement.reference, movement]))

/**
 * Over the installation's accounts: what was paid out for an organisation is at most what was really paid in for it,
 * plus its limits. The providers' own journals are the truth; our records only say whose a reference is.
 */
export function operatorLoses(evidence: Evidence): Violation[] {
  const movements = byReference(evidence.movements)
  const out = new Sums()
  for (const transaction of evidence.sent.filter(isPooled).filter(isGone)) {
    const movement = movements.get(transaction.reference)
    if (movement && movement.kind !== 'leg') out.add(movement.orgId, scaled(movement, minorOf(transaction)))
  }
  for (const movement of evidence.movements)
    if (movement.provider === 'manual' && movement.kind === 'payout' && isSettledByHand(movement))
      out.add(movement.orgId, movement.booked)
  const allowed = arrived(evidence, movements)
  for (const { orgId, ...money } of evidence.limits) allowed.add(orgId, money)
  return out.keys().flatMap((key) => {
    const [subject = '', currency = ''] = key.split(' ')
    const [gone, came] = [out.get(key), allowed.get(key)]
    return gone <= came
      ? []
      : [
          {
            judge: 'operator loses',
            subject,
            problem: `${gone} ${currency} left the installation's accounts, ${came} came in`,
          },
        ]
  })
}

const isSettledByHand = ({ state, custody }: Movement): boolean => state === 'succeeded' && custody !== 'own'

function arrived(evidence: Evidence, movements: ReadonlyMap<string, Movement>): Sums {
  const sums = new Sums()
  const owners = new Map(evidence.credits.map(({ accountId, orgId }) => [accountId, orgId]))
  for (const transaction of evidence.transactions.filter(isPooled).filter(hasArrived)) {
    if (transaction.operation !== 'collect') continue
    const movement = movements.get(transaction.reference)
    const minor = minorOf(transaction)
    if (movement && movement.kind !== 'leg') sums.add(movement.orgId, scaled(movement, minor))
    const owner = owners.get(depositedTo(transaction) ?? '')
    if (owner !== undefined) sums.add(owner, { currency: transaction.currency, minor })
  }
  return sums
}

/** The virtual account that a bank deposit went to: its id is part of the customer's address at the provider. */
export function depositedTo({ method, details }: Transaction): string | undefined {
  const email = details['email']
  return method === depositChannel && typeof email === 'string' ? email.split('@')[0] : undefined
}

/** A payout that touches an account of the installation is carried out once, whoever is asked. */
export function paidTwice({ sent, movements }: Evidence): Violation[] {
  const known = byReference(movements)
  const payments = Map.groupBy(
    sent.filter(({ operation }) => operation === 'payout').filter(isGone),
    ({ reference }) => {
      const movement = known.get(reference)
      return movement && movement.kind === 'payout' ? movement.paymentId : ''
    },
  )
  return [...payments].flatMap(([subject, transactions]) =>
    subject === '' || transactions.length < 2 || !transactions.some(isPooled)
      ? []
      : [
          {
            judge: 'paid twice',
            subject,
            problem: `accepted by ${transactions.map(({ provider, account }) => `${provider} (${account})`).join(' and ')}`,
          },
        ],
  )
}

/**
 * Tokens and fiat leave for a ramp only after its customer paid into an account of the installation, and once. The
 * chain and the providers say what left.
 */
export function rampsWithoutCollection(evidence: Evidence): Violation[] {
  const { movements, transactions, sent } = evidence
  const arrivals = new Set(
    transactions
      .filter(({ operation }) => operation === 'collect')
      .filter(isPooled)
      .filter(hasArrived)
      .map(({ reference }) => reference),
  )
  const gone = new Set(sent.filter(isGone).map(({ reference }) => reference))
  const hasLeft = ({ legKind, state, reference }: Movement): boolean =>
    legKind !== 'collection' && legKind !== 'whole' && (state === 'succeeded' || gone.has(reference))
  const ramps = Map.groupBy(
    movements.filter(({ kind }) => kind === 'leg'),
    ({ paymentId }) => paymentId,
  )
  const paidRamps = [...ramps].filter(([, legs]) =>
    legs.some(({ legKind, reference }) => legKind === 'collection' && arrivals.has(reference)),
  )
  const paid = new Set(paidRamps.map(([paymentId]) => paymentId))
  const byRamp = [...ramps].flatMap(([subject, legs]): Violation[] => {
    const left = legs.filter(hasLeft)
    if (left.length <= (paid.has(subject) ? 1 : 0)) return []
    const carriers = left.map(({ provider, legKind }) => `${provider} (${legKind})`).join(' and ')
    const why = paid.has(subject)
      ? 'it was collected once'
      : 'nothing was collected in an installation account'
    return [{ judge: 'ramp without collection', subject, problem: `${carriers} paid out, ${why}` }]
  })
  return [...byRamp, ...tokensWithoutRamp(evidence, paidRamps)]
}

/** Each transfer on the chain is the delivery of one ramp that was paid for. */
function tokensWithoutRamp(
  { tokens }: Evidence,
  paidRamps: readonly (readonly [string, readonly Movement[]])[],
): Violation[] {
  const owed = paidRamps.flatMap(([, legs]) => {
    const delivery = legs.find(({ legKind, provider }) => legKind === 'delivery' && provider === 'crypto')
    return delivery ? [delivery.carried.minor] : []
  })
  return tokens.flatMap((amount): Violation[] => {
    const place = owed.indexOf(amount)
    if (place !== -1) owed.splice(place, 1)
    const problem = `${amount} of the smallest unit left the operator's wallet for no ramp that was paid for`
    return place === -1 ? [{ judge: 'ramp without collection', subject: thiefWallet, problem }] : []
  })
}

/** The operator's limit on one payout through an account of the installation. */
export function outsideBounds(
  { sent, movements }: Evidence,
  bounds: ReadonlyMap<string, bigint>,
): Violation[] {
  const known = byReference(movements)
  return sent
    .filter(({ operation }) => operation === 'payout')
    .filter(isPooled)
    .flatMap((transaction) => {
      const bound = bounds.get(transaction.currency)
      const minor = minorOf(transaction)
      return bound === undefined || minor <= bound
        ? []
        : [
            {
              judge: 'outside the bounds' as const,
              subject: known.get(transaction.reference)?.paymentId ?? transaction.reference,
              problem: `${minor} ${transaction.currency} were sent, the operator allows ${bound}`,
            },
          ]
    })
}

/** Nothing leaves an account of the installation for an organisation that is not verified. */
export function unverifiedPaidOut({ sent, movements }: Evidence, orgId: string): Violation[] {
  const known = byReference(movements)
  return sent
    .filter(({ operation }) => operation === 'payout')
    .filter(isPooled)
    .flatMap(({ reference, amount, currency }) => {
      const movement = known.get(reference)
      return movement?.orgId === orgId
        ? [
            {
              judge: 'unverified' as const,
              subject: movement.paymentId,
              problem: `${amount} ${currency} were paid out`,
            },
          ]
        : []
    })
}
