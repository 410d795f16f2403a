import { activate } from '../messages/active.ts'
import { catalogue } from '../messages/generated/en/catalogue.ts'

/** Before the files of a test are loaded, as the page does. */
activate('en', catalogue)
