import type { Database } from '../../../kernel/db/database.ts'
import { getOrganizationById } from './get-organization.ts'
import type { CardPolicy } from './record.ts'

export interface CardPolicyDeps {
  db: Database
  /** The setting of the installation, which no organisation can loosen. */
  cards: CardPolicy
}

/** Whether card numbers may only be entered on the providers' pages. Not cached: a stricter setting counts at once. */
export const checkHostedOnly = async (deps: CardPolicyDeps, orgId: string): Promise<boolean> =>
  deps.cards === 'hosted_only' || (await getOrganizationById(deps, orgId)).cards === 'hosted_only'
