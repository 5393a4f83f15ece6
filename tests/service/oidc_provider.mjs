// A provider of OpenID Connect on loopback: anybody signs in by a name, whose mail address is verified or not.
import Provider from 'oidc-provider';

const [port, redirect] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [{
    client_id: 'sfumato', client_secret: 'a-secret-of-the-tests', redirect_uris: [redirect],
    grant_types: ['authorization_code'], response_types: ['code'],
  }],
  pkce: { required: () => true, methods: ['S256'] },
  cookies: { keys: ['tests'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
  findAccount: (ctx, id) => ({
    accountId: id,
    claims: () => ({
      sub: id, name: `Shown ${id}`, preferred_username: id,
      email: `${id.replace('unverified-', '')}@example.org`, email_verified: !id.startsWith('unverified-'),
    }),
  }),
});
provider.listen(Number(port), '127.0.0.1', () => console.log('ready'));
