import type { CompiledQuery } from 'kysely'
import { ErasedError } from '../../../kernel/db/vault.ts'
import { notFound } from '../../../lib/errors.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { SubjectPage, SubjectRow } from '../../compliance/sanctions/runs/record.ts'
import { beneficiaryContext } from './create-beneficiary.ts'
import type {
  Beneficiary,
  BeneficiaryAccount,
  BeneficiaryDeps,
  BeneficiaryDetails,
  BeneficiaryRow,
} from './record.ts'
import {
  findBeneficiary,
  selectAccounts,
  selectBeneficiaries,
  selectEveryBeneficiaryAcrossOrgs,
  selectExisting,
  shareBeneficiary,
} from './store.ts'
import { partiesOf } from './rules.ts'

export async function getBeneficiary(
  deps: Pick<BeneficiaryDeps, 'db' | 'vault'>,
  orgId: string,
  input: { beneficiaryId: string },
): Promise<Beneficiary> {
  const row = await deps.db.inOrg(orgId, (tx) => findBeneficiary(tx, orgId, input.beneficiaryId))
  if (!row) throw notFound('The beneficiary')
  const opened = await openUnlessErased(deps, row)
  if (!opened) throw notFound('The beneficiary')
  return opened
}

export const openUnlessErased = (
  deps: Pick<BeneficiaryDeps, 'vault'>,
  row: BeneficiaryRow,
): Promise<Beneficiary | undefined> =>
  openBeneficiary(deps, row).catch((error: unknown) => {
    if (error instanceof ErasedError) return undefined
    throw error
  })

export async function openBeneficiary(
  deps: Pick<BeneficiaryDeps, 'vault'>,
  row: BeneficiaryRow,
): Promise<Beneficiary> {
  const opened = await deps.vault.open(row.orgId, beneficiaryContext(row.beneficiaryId), row.detailsSealed)
  return { ...row, details: opened as BeneficiaryDetails } // sealed by us from this type
}

export async function listBeneficiaries(
  deps: BeneficiaryDeps,
  caller: Caller,
  input: { userId: string | undefined; page: PageRequest },
): Promise<Page<Beneficiary>> {
  const { orgId } = caller
  const page = await readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'beneficiaries', filters: { userId: input.userId } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectBeneficiaries(tx, orgId, { userId: input.userId, limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.beneficiaryId }),
  })
  const opened = await Promise.all(page.items.map((row) => openUnlessErased(deps, row)))
  return { ...page, items: opened.filter((one) => one !== undefined) }
}

/** The accounts of those beneficiaries that exist, by id, in one query and without their personal data. */
export async function listAccounts(
  deps: { db: Database },
  orgId: string,
  beneficiaryIds: readonly string[],
): Promise<Map<string, BeneficiaryAccount>> {
  const accounts = await deps.db.inOrg(orgId, (tx) => selectAccounts(tx, orgId, beneficiaryIds))
  return new Map(accounts.map((account) => [account.beneficiaryId, account]))
}

/** Those of the beneficiaries that are not registered any more. */
export async function listRemoved(
  tx: Tx,
  orgId: string,
  beneficiaryIds: readonly string[],
): Promise<string[]> {
  const existing = new Set(await selectExisting(tx, orgId, beneficiaryIds))
  return beneficiaryIds.filter((id) => !existing.has(id))
}

/** Every beneficiary of every organisation, to be screened by a new list. */
export async function listBeneficiarySubjects(
  deps: Pick<BeneficiaryDeps, 'db' | 'vault'>,
  page: SubjectPage,
): Promise<SubjectRow[]> {
  const rows = await deps.db.acrossOrgs((tx) => selectEveryBeneficiaryAcrossOrgs(tx, page))
  return Promise.all(
    rows.map(async (row) => ({
      orgId: row.orgId,
      id: row.beneficiaryId,
      ...partiesOf(await openBeneficiary(deps, row)),
    })),
  )
}

/** A statement for the transaction that starts a payment: it fails if the beneficiary was deleted meanwhile. */
export const lockBeneficiaryForPayment = (orgId: string, beneficiaryId: string): CompiledQuery =>
  shareBeneficiary(orgId, beneficiaryId)
