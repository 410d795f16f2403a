import { z } from 'zod'
import { hitScore } from '../../domains/compliance/sanctions/rules.ts'
import { count, httpUrl, setting, text } from './kinds.ts'

const both = { usedBy: ['api', 'worker'] } as const

const thresholdMessage = `must be a number above 0 and at most ${hitScore}`

export const sanctionsSettings = {
  SANCTIONS_YENTE_URL: setting(
    httpUrl.optional(),
    'the yente server that compares names with sanctions lists; without it each process compares them with the lists that were loaded ([sanctions.md](sanctions.md#searching-with-a-yente-server))',
    { ...both, example: 'https://yente.internal' },
  ),
  SANCTIONS_YENTE_DATASET: setting(
    text.default('sanctions'),
    'the dataset or the collection that is searched there',
    both,
  ),
  SANCTIONS_YENTE_API_KEY: setting(
    text.optional(),
    'the API key, if the server needs one, as that of OpenSanctions does',
    { ...both, example: 'KEY', isSecret: true },
  ),
  SANCTIONS_YENTE_ALGORITHM: setting(
    text.default('logic-v2'),
    'the algorithm of yente that scores results; its scores mean something else with another one',
    both,
  ),
  SANCTIONS_YENTE_THRESHOLD: setting(
    z.coerce.number(thresholdMessage).positive(thresholdMessage).max(hitScore, thresholdMessage).default(0.7),
    'the score from which a result is a possible match',
    both,
  ),
  SANCTIONS_YENTE_TIMEOUT_MS: setting(
    count.default(2_000),
    'how long a search may take; nobody is sent anything without an answer',
    both,
  ),
}
