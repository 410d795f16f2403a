import type { Translated } from '../translated.ts'
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: Translated<typeof english> = {
  title: 'Iniciar sessão no Switchyard',
  text: 'Continua no fornecedor de identidade da sua organização.',
  button: 'Iniciar sessão',
  signedOut: 'A sua sessão foi terminada.',
  errors: {
    expired:
      'O início de sessão demorou demasiado ou foi começado noutro navegador. Inicie sessão de novo, por favor.',
    refused: 'O fornecedor de identidade não confirmou quem é. Inicie sessão de novo, por favor.',
    'not-a-member': 'Não é membro de nenhuma organização aqui. Peça a um administrador que o convide.',
    'too-weak':
      'A sua função exige uma autenticação mais forte, por exemplo com um segundo fator. Inicie sessão novamente dessa forma.',
    unavailable:
      'O fornecedor de identidade não responde neste momento. Tente de novo daqui a pouco, por favor.',
  },
}
