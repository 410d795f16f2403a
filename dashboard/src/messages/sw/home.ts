import type { Translated } from '../translated.ts'
import type { home as english } from '../en/home.ts'

export const home: Translated<typeof english> = {
  greeting: 'Yanayokusubiri',
  exceptions: 'Kasoro zilizo wazi',
  exceptionsHint: 'Mambo ambayo mtu lazima ayatatue',
  approvals: 'Malipo ya kuidhinisha',
  approvalsHint: 'Malipo yanayotoka yanayosubiri idhini ya kwanza au ya pili',
  disputes: 'Migogoro ya kujibu',
  disputesHint: 'Ndani ya wiki moja',
  matches: 'Ulinganifu wa vikwazo',
  matchesHint: 'Malipo yanasubiri mtu aamue',
  deadLetters: 'Jumbe zilizoshindikana',
  deadLettersHint: 'Webhook zilizoachwa baada ya majaribio yote',
  notices: 'Arifa ambazo hazijasomwa',
  noticesHint: 'Kwenye kikasha chako',
  nothing: 'Hakuna kinachokusubiri.',
  trends: 'Siku saba zilizopita',
  trendsEmpty: 'Hakuna malipo katika siku saba zilizopita.',
  currency: 'Sarafu',
  payments: 'Malipo',
  volume: 'Jumla ya kiasi',
  success: 'Kiwango cha mafanikio',
  perDay: 'Kwa siku',
  failures: 'Yaliyoshindikana karibuni',
  failuresEmpty: 'Hakuna malipo yaliyoshindikana.',
  allFailures: 'Malipo yote yaliyoshindikana',
}
