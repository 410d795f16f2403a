import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import type { SealDeps } from './blocks/record.ts'
import { sealEntries } from './blocks/seal-entries.ts'

export const auditLogService = (engine: EngineScope, deps: SealDeps): EngineService =>
  defineService<{ seal: Record<string, never> }>(engine, 'AuditLog', {
    seal: {
      input: z.strictObject({}),
      async run(context) {
        await context.untilDone('seal', () => sealEntries(deps))
      },
    },
  })
