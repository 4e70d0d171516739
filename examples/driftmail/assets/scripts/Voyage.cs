namespace Driftmail;

/// Which scene follows which.
public static class Voyage
{
    public static readonly string[] Legs = { "scenes/harbour.tscene", "scenes/reef.tscene" };
}
