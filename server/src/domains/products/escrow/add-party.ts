import type { Vault } from '../../../kernel/db/vault.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { AppError, validationError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { getBeneficiary } from '../../parties/beneficiaries/reads.ts'
import { getAccount } from '../virtual-accounts/reads.ts'
import { otherCustody } from '../virtual-accounts/transactions/errors.ts'
import { getEscrow } from './reads.ts'
import { tooMany, wrongField } from './milestones/errors.ts'
import { openActiveEscrow } from './milestones/open-escrow.ts'
import { partiesLimit } from './milestones/schema.ts'
import type { Party, NewParty, EscrowDeps } from './record.ts'
import { insertParty, selectParties } from './store.ts'

/** A party is paid into a virtual account of the organisation or out to a beneficiary, in the escrow's currency. */
export async function addParty(
  deps: EscrowDeps & { vault: Vault },
  caller: Caller,
  input: NewParty,
): Promise<Party> {
  const { orgId } = caller
  const { accountId } = await getEscrow(deps, caller, input)
  const { custody } = await getAccount(deps, orgId, { accountId })
  const payee = await payeeOf(deps, orgId, input)
  if (payee.custody !== undefined && payee.custody !== custody) throw otherCustody()
  return deps.db.inOrg(orgId, async (tx) => {
    const { escrow } = await openActiveEscrow(tx, orgId, input.escrowId)
    if (payee.currency !== escrow.currency)
      throw wrongField(payee.path, `is in ${payee.currency}, the escrow in ${escrow.currency}`)
    if ((await selectParties(tx, orgId, input.escrowId)).length >= partiesLimit)
      throw tooMany('parties', partiesLimit)
    const party: Party = { ...input, orgId, partyId: newId(), createdAt: deps.clock.now() }
    await insertParty(tx, orgId, party)
    await recordAudit(tx, caller, orgId, {
      action: 'escrow.party.add',
      resourceType: 'escrow',
      resourceId: input.escrowId,
      after: {
        party_id: party.partyId,
        account_id: party.accountId,
        beneficiary_id: party.beneficiaryId,
      },
    })
    return party
  })
}

/** A payee of another organisation is reported like one that does not exist: as an invalid field. */
async function payeeOf(
  deps: EscrowDeps & { vault: Vault },
  orgId: string,
  { accountId, beneficiaryId }: NewParty,
): Promise<{ path: string; currency: string; custody?: Custody }> {
  if ((accountId === null) === (beneficiaryId === null))
    throw validationError('Exactly one of account_id and beneficiary_id is needed.')
  if (beneficiaryId !== null) {
    const path = 'beneficiary_id'
    const unknown = asWrongField(path, 'there is no such beneficiary')
    const { currency } = await getBeneficiary(deps, orgId, { beneficiaryId }).catch(unknown)
    return { path, currency }
  }
  const path = 'account_id'
  const unknown = asWrongField(path, 'there is no such account')
  const account = await getAccount(deps, orgId, { accountId: accountId ?? '' }).catch(unknown)
  if (account.accountType === 'escrow') throw wrongField(path, 'belongs to an escrow')
  return { path, currency: account.currency, custody: account.custody }
}

export const asWrongField =
  (path: string, message: string) =>
  (error: unknown): never => {
    throw error instanceof AppError && error.status === 404 ? wrongField(path, message) : error
  }
