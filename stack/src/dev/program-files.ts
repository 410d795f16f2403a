import { join } from 'node:path'
import { repositoryDir } from '../repository-dir.ts'
import type { DevPrograms } from './start-dev.ts'

export const programFiles: DevPrograms = {
  migrate: join(repositoryDir, 'server/src/main/migrate.ts'),
  api: join(repositoryDir, 'server/src/main/api.ts'),
  worker: join(repositoryDir, 'server/src/main/worker.ts'),
  simulator: join(repositoryDir, 'simulator/src/main.ts'),
}
