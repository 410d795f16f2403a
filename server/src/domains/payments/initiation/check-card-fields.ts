import { checkHostedOnly, type CardPolicyDeps } from '../../people/organizations/reads.ts'
import { cardDetailsRequired, cardsHostedOnly } from '../errors.ts'
import type { InitiateBody } from './schema.ts'

/** The API specification requires card_details for a card; an organisation that takes none must not send them at all. */
export async function checkCardFields(
  deps: CardPolicyDeps,
  orgId: string,
  { payment_method: method, card_details: card }: Pick<InitiateBody, 'payment_method' | 'card_details'>,
): Promise<void> {
  if (method !== 'card' && !card) return
  const isHostedOnly = await checkHostedOnly(deps, orgId)
  if (isHostedOnly && card) throw cardsHostedOnly()
  if (!isHostedOnly && !card) throw cardDetailsRequired()
}
