import { z } from 'zod'
import type { SimulatorOptions } from './simulator.ts'

const environmentSchema = z.object({
  SIMULATOR_HOST: z.string().default('127.0.0.1'),
  SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  SIMULATOR_STATE_DIR: z.string().min(1).optional(),
  SIMULATOR_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  SIMULATOR_WEBHOOK_TOKEN: z.string().min(1).default('sandbox'),
  SIMULATOR_DELAY_MS: z.coerce.number().int().min(0).max(3_600_000).default(300),
})

export function readConfig(environment: Readonly<Record<string, string | undefined>>): SimulatorOptions {
  const config = environmentSchema.parse(environment)
  return {
    host: config.SIMULATOR_HOST,
    port: config.SIMULATOR_PORT,
    stateDir: config.SIMULATOR_STATE_DIR,
    webhookBaseUrl: config.SIMULATOR_WEBHOOK_URL,
    webhookToken: config.SIMULATOR_WEBHOOK_TOKEN,
    delayMs: config.SIMULATOR_DELAY_MS,
  }
}
