import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import { advanceDispute } from './advance-dispute.ts'
import { notifyMembers } from './notify-members.ts'
import type { DisputeDeps } from './record.ts'

const ids = z.object({ orgId: z.uuid(), disputeId: z.uuid() })
type Ids = z.infer<typeof ids>

export const disputeService = (engine: EngineScope, deps: DisputeDeps): EngineService =>
  defineService<{ supervise: Ids; remind: Ids }>(engine, 'Disputes', {
    supervise: {
      input: ids,
      run: (context, input) => context.repeat('advance', (poll) => advanceDispute(deps, { ...input, poll })),
    },
    remind: {
      input: ids,
      run: (context, input) => context.repeat('remind', () => notifyMembers(deps, input)),
    },
  })
