import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { AppError } from '../../../lib/errors.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Lineage, LineageSource, Relation } from './record.ts'
import { createLineage, decidersAmong, notIndependent, relationAmong } from './rules.ts'
import { selectEmpowerments } from './store.ts'

export const createLineageSource = (days: number): LineageSource => ({
  days,
  readIn: async (tx, orgId) => createLineage(await selectEmpowerments(tx, orgId, days)),
})

export interface IndependenceDeps {
  db: Database
  lineage: LineageSource
  /** Asked in a transaction that sees every organisation. */
  listOperators(this: void, tx: Tx): Promise<readonly { userId: string }[]>
}

interface TakenPart {
  orgId: string
  others: readonly string[]
  /** In a change request one of the operator’s people decides if nobody unrelated could. */
  isChangeRequest?: boolean
}

export const findDependence = (
  deps: IndependenceDeps,
  caller: Caller,
  part: TakenPart,
): Promise<AppError | undefined> => createDependence(deps, caller)(part)

/**
 * Why the caller does not count as a second person beside those who have taken part in something of an organisation;
 * undefined if they do. Reads each lineage once, also for several questions.
 */
export function createDependence(deps: IndependenceDeps, caller: Caller) {
  const lineages = new Map<string, Promise<Lineage>>()
  const lineageOf = (orgId: string): Promise<Lineage> => {
    const known = lineages.get(orgId) ?? deps.db.inOrg(orgId, (tx) => deps.lineage.readIn(tx, orgId))
    lineages.set(orgId, known)
    return known
  }
  return async ({ orgId, others, isChangeRequest = false }: TakenPart): Promise<AppError | undefined> => {
    const known = { there: await lineageOf(orgId), home: await lineageOf(caller.orgId) }
    const relation = relationAcross(known, caller.userId, others)
    if (!relation) return undefined
    const mayBeExcused =
      relation === 'operator' || (isChangeRequest && caller.permissions.has('platform:write'))
    const isExcused = mayBeExcused && (await isLastToDecide(deps, known, caller.userId, others))
    return isExcused ? undefined : notIndependent(relation, deps.lineage.days)
  }
}

/** The organisation of what is decided about, and the caller's own, which may be the same. */
interface Lineages {
  there: Lineage
  home: Lineage
}

/**
 * People of the operator are also related by what happened in the operator's own organisation: to each other, and so to
 * those whom another operator gave access to the organisation of a customer.
 */
function relationAcross(
  { there, home }: Lineages,
  userId: string,
  others: readonly string[],
): Relation | undefined {
  const relation = relationAmong(there, userId, others)
  if (relation || home === there) return relation
  const behind = others.flatMap(there.operatorsBehind)
  return relationAmong(home, userId, others) ?? (relationAmong(home, userId, behind) && 'operator')
}

/** Nobody unrelated could decide, so whoever was not added by another operator does. */
async function isLastToDecide(
  { db, listOperators }: IndependenceDeps,
  known: Lineages,
  userId: string,
  others: readonly string[],
): Promise<boolean> {
  const operators = (await db.acrossOrgs(listOperators)).map((operator) => operator.userId)
  return operators.every(
    (operator) =>
      (others.includes(operator) || relationAcross(known, operator, others) !== undefined) &&
      !known.home.hasEmpowered(operator, userId),
  )
}

export async function assertIndependent(
  deps: IndependenceDeps,
  caller: Caller,
  input: TakenPart,
): Promise<void> {
  const dependence = await findDependence(deps, caller, input)
  if (dependence) throw dependence
}

/**
 * The operators who could decide about what this one asks for: those who are not related, or else who added them. A
 * suspended operator still counts: otherwise one operator could suspend the others and then decide everything alone.
 */
export async function listSecondOperators<Operator extends { userId: string }>(
  deps: { lineage: LineageSource; listOperators(this: void, tx: Tx): Promise<readonly Operator[]> },
  tx: Tx,
  caller: Caller,
): Promise<Operator[]> {
  const lineage = await deps.lineage.readIn(tx, caller.orgId)
  return decidersAmong(lineage, caller.userId, await deps.listOperators(tx))
}

/** Whether another operator has to agree to what this one loosens. */
export const hasSecondOperator = async (
  deps: Pick<IndependenceDeps, 'lineage' | 'listOperators'>,
  tx: Tx,
  caller: Caller,
): Promise<boolean> => (await listSecondOperators(deps, tx, caller)).length > 0
