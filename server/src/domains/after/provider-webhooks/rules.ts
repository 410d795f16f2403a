import { createHash } from 'node:crypto'
import type { ProviderUpdate } from '../../../connectors/kit/connector.ts'
import type { Fact } from '../../payments/lifecycle/rules.ts'
import type { Delivery, InboxRow } from './record.ts'

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
  // A forged delivery must not occupy the key of the genuine one that may follow.
  dedupeKey: delivery.verdict === 'forged' ? `forged ${digest(update.dedupeKey)}` : update.dedupeKey,
  reference: update.reference,
  verdict: delivery.verdict,
  providerStatus: update.providerStatus,
  ...outcome,
})

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
