/**
 * The addresses at the server's root, beside /api/v1: the contract's files, pages, widget, MCP and OAuth, and /metrics.
 */
export const ROOT_ADDRESSES = [
  'GET /openapi.json',
  'GET /docs',
  'GET /setup/',
  'GET /invitation',
  'GET /reset-password',
  'GET /verify-email',
  'GET /metrics',
  'GET /widget.js',
  // Signed: an object's key follows /files/.
  'PUT /files/x/y',
  'GET /files/x/y',
  'POST /mcp',
  'GET /mcp',
  'DELETE /mcp',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'POST /oauth/register',
  'GET /oauth/authorize',
  'POST /oauth/token',
  'POST /oauth/revoke',
] as const
