import { z } from 'zod'
import { archiveMonths } from '../../../src/kernel/db/archive/archive-months.ts'
import { connectOwner } from '../../../src/kernel/db/archive/partitions.ts'
import { connectDatabase } from '../../../src/kernel/db/database.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { archiveUses } from '../../../src/main/archive-uses.ts'

/** Archives events older than three months, and kills itself with SIGKILL after the given step. */
const env = z
  .object({
    CRASH_AFTER: z.string(),
    OWNER_URL: z.string(),
    APP_URL: z.string(),
    SYSTEM_URL: z.string(),
    DIRECTORY: z.string(),
  })
  .parse(process.env)

const db = connectDatabase({ appUrl: env.APP_URL, systemUrl: env.SYSTEM_URL, poolSize: 1 })
await archiveMonths({
  owner: await connectOwner(env.OWNER_URL),
  db,
  clock: systemClock,
  directory: env.DIRECTORY,
  retention: { events: 3 },
  ...archiveUses(db),
  log: () => undefined,
  afterStep: (step) => {
    if (step === env.CRASH_AFTER) process.kill(process.pid, 'SIGKILL')
  },
})
