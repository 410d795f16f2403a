import type { Translated } from '../translated.ts'
import type { sessions as english } from '../en/sessions.ts'

export const sessions: Translated<typeof english> = {
  title: 'Vipindi vyako',
  text: 'Kila kivinjari ulichoingilia. Kipindi huisha baada ya dakika 30 bila shughuli na baada ya saa 12 kwa vyovyote.',
  browser: 'Kivinjari',
  address: 'Anwani',
  lastSeen: 'Mara ya mwisho kutumika',
  signedIn: 'Uliingia',
  current: 'Kivinjari hiki',
  end: 'Maliza',
  ended: 'Kipindi kimekwisha.',
  everywhere: 'Toka kila mahali',
  unknownBrowser: 'Kivinjari kisichojulikana',
}
