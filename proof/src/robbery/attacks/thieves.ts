import { approvalAttacks } from './approval.ts'
import type { Attack } from './attack.ts'
import { custodyAttacks } from './custody.ts'
import { identityAttacks } from './identities.ts'
import { limitAttacks } from './limits.ts'
import { listedAttacks } from './listed.ts'
import { merchantAttacks } from './merchant.ts'
import { operatorAttacks } from './operator.ts'
import { rateAttacks } from './rates.ts'

type Thief = { readonly name: string; readonly attacks: readonly Attack[] }

/** Those without keys come first: after them, the hostile organisation’s payments may use accounts of its own. */
export const thieves: readonly Thief[] = [
  { name: 'an organisation that goes beyond its limits', attacks: limitAttacks },
  { name: 'an insider who gets round approvals', attacks: approvalAttacks },
  { name: 'an insider with a second identity', attacks: identityAttacks },
  { name: 'an employee of the operator', attacks: operatorAttacks },
  { name: 'a merchant of the same provider', attacks: merchantAttacks },
  { name: 'a screened person with forty spellings', attacks: listedAttacks },
  { name: 'a refunder who waits for the rate', attacks: rateAttacks },
  { name: 'an organisation with keys of its own making', attacks: custodyAttacks },
]

export const attacks: readonly Attack[] = thieves.flatMap((thief) => thief.attacks)
