USE [Shop]
GO
SET ANSI_NULLS ON
GO
CREATE TABLE [dbo].[Orders](
	[Id] [int] IDENTITY(1,1) NOT NULL,
	[Total] [decimal](10, 2) NULL,
 CONSTRAINT [PK_Orders] PRIMARY KEY CLUSTERED ([Id] ASC)
) ON [PRIMARY]
GO
-- Closes old orders
CREATE PROCEDURE [dbo].[CloseOrders] @Days int = 30
AS
BEGIN
  SET NOCOUNT ON;
  UPDATE dbo.Orders SET State = 'closed' WHERE DATEDIFF(day, Created, GETDATE()) > @Days;
  IF @@ROWCOUNT = 0 PRINT 'none';
END
GO
CREATE OR ALTER VIEW dbo.Open AS SELECT * FROM dbo.Orders WHERE State = 'open'
GO
