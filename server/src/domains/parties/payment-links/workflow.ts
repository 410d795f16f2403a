import { z } from 'zod'
import {
  defineService,
  type EngineScope,
  type EngineService,
  type StepPolicy,
} from '../../../kernel/engine/service.ts'
import { expireLinks } from './expire-links.ts'
import type { LinkDeps } from './record.ts'

const expiring: StepPolicy = { attempts: 5, firstDelayMs: 1_000, longestDelayMs: 30_000 }

/** Runs on a schedule. */
export const linkService = (engine: EngineScope, deps: Pick<LinkDeps, 'db' | 'clock'>): EngineService =>
  defineService<{ expire: object }>(engine, 'PaymentLinks', {
    expire: {
      input: z.object({}),
      async run(context) {
        await context.step('expire', expiring, () => expireLinks(deps))
      },
    },
  })
