import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import { purgeRequests } from './purge-requests.ts'

const purging = { attempts: 5, firstDelayMs: 1_000, longestDelayMs: 30_000 }

export const requestLogService = (
  engine: EngineScope,
  deps: Parameters<typeof purgeRequests>[0],
): EngineService =>
  defineService<{ purge: object }>(engine, 'RequestLog', {
    purge: {
      input: z.object({}),
      async run(context) {
        await context.step('purge', purging, () => purgeRequests(deps))
      },
    },
  })
