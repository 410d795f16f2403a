import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../lib/errors.ts'
import { isCanceled } from './errors.ts'
import type { Milestone } from './record.ts'
import { findProject, lockProject, selectMilestones, type Project } from './store.ts'

/** An escrow with all of its milestones, in sequence. */
export interface OpenProject {
  project: Project
  milestones: Milestone[]
}

/** Read under the escrow's lock: everything that decides about it waits here for its turn, and sees what came before. */
export async function openProject(tx: Tx, orgId: string, escrowId: string): Promise<OpenProject> {
  const project = await lockProject(tx, orgId, escrowId)
  if (!project) throw notFound('The escrow')
  return { project, milestones: await selectMilestones(tx, orgId, escrowId) }
}

export async function openActiveProject(tx: Tx, orgId: string, escrowId: string): Promise<OpenProject> {
  const opened = await openProject(tx, orgId, escrowId)
  if (opened.project.status !== 'active') throw isCanceled()
  return opened
}

/** Without the lock, for reading. */
export async function readProject(tx: Tx, orgId: string, escrowId: string): Promise<OpenProject> {
  const project = await findProject(tx, orgId, escrowId)
  if (!project) throw notFound('The escrow')
  return { project, milestones: await selectMilestones(tx, orgId, escrowId) }
}

export function milestoneOf({ milestones }: OpenProject, milestoneId: string): Milestone {
  const found = milestones.find((milestone) => milestone.milestoneId === milestoneId)
  if (!found) throw notFound('The milestone')
  return found
}

export type OpenedMilestone = Milestone
export type MilestoneShare = Milestone['shares'][number]
