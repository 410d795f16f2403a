import { notFound } from '../../../lib/errors.ts'
import type { Suspension, SuspensionDeps } from './record.ts'
import { findSuspensionAcrossOrgs } from './store.ts'

export async function getSuspension(
  deps: Pick<SuspensionDeps, 'db'>,
  suspensionId: string,
): Promise<Suspension> {
  const found = await deps.db.acrossOrgs((tx) => findSuspensionAcrossOrgs(tx, suspensionId))
  if (!found) throw notFound('The suspension')
  return found
}
