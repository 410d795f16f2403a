import { createHash } from 'node:crypto'
import type { ProviderUpdate } from '../../../connectors/kit/connector.ts'
import type { Fact } from '../../payments/lifecycle/rules.ts'
import type { Delivery, InboxRow, Verdict } from './record.ts'

export const factOf = ({
  providerRef,
  providerStatus,
  state,
  amount,
  cost,
  nextAction,
}: ProviderUpdate): Fact => ({
  kind: 'accepted',
  providerRef,
  providerStatus,
  state,
  amount,
  cost,
  nextAction,
})

export const inboxRow = (
  delivery: Delivery,
  update: ProviderUpdate,
  outcome: { paymentId: string | null; result: string },
): InboxRow => ({
  provider: delivery.account.provider,
  accountId: delivery.account.accountId,
  dedupeKey: dedupeKeyOf(delivery, update),
  reference: update.reference,
  verdict: delivery.verdict,
  providerStatus: update.providerStatus,
  ...outcome,
})

/** A message of somebody else must not take the place of the genuine one that may follow. */
const dedupeKeyOf = ({ verdict, body }: Delivery, { dedupeKey }: ProviderUpdate): string => {
  if (verdict === 'verified') return dedupeKey
  return `${verdict} ${digest(verdict === 'forged' ? dedupeKey : `${dedupeKey} ${body}`)}`
}

/** Why a message is not applied, as the inbox shows it. */
export const notAppliedBecause = (verdict: Verdict): string =>
  ({
    verified: 'without the amount: the provider is asked',
    provider: 'perhaps about another merchant: the provider is asked',
    unsigned: 'unsigned: the provider is asked',
    forged: 'refused: the signature is not valid',
  })[verdict]

/** The same of an answer to an inquiry of ours. */
export const incompleteAnswer = 'an answer that does not name the amount: not applied'

/** What a message says about the end of a movement is applied only if it names the amount that moved. */
export const namesAmount = ({ state, amount }: ProviderUpdate): boolean =>
  state.state !== 'completed' || amount !== undefined

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
