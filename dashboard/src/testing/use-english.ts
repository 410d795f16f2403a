import { activate } from '../messages/active.ts'
import { catalogue } from '../messages/generated/en/catalogue.ts'

/** Loads English before the test files are evaluated, as the page does. */
activate('en', catalogue)
