import { z } from 'zod'
import { defineService, type EngineService } from '../../../kernel/engine/service.ts'
import type { SealDeps } from './blocks/record.ts'
import { sealEntries } from './blocks/seal-entries.ts'

export const auditLogService = (namespace: string, deps: SealDeps): EngineService =>
  defineService<{ seal: Record<string, never> }>(namespace, 'AuditLog', {
    seal: {
      input: z.strictObject({}),
      async run(context) {
        await context.untilDone('seal', () => sealEntries(deps))
      },
    },
  })
